/** What an authentication can't do without: members of OAuth2 connections are optional, so one may be missing. */
import { RequestRefused } from "../errors.js";

/** The same values, none of them absent or empty. @throws RequestRefused that names every one that is. */
export function given<Name extends string>(
  values: Readonly<Record<Name, string | undefined>>,
): Readonly<Record<Name, string>> {
  const entries = Object.entries<string | undefined>(values);
  const missing = entries.filter(([, value]) => value === undefined || value === "").map(([name]) => name);
  if (missing.length > 0) throw new RequestRefused(`The connection has no ${missing.join(", no ")}.`);
  return values as Readonly<Record<Name, string>>;
}
