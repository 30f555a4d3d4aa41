/** The connection that a host was given, held to its definition before anything is done with it (spec §2.2, §7). */
import { sensitiveValues } from "../records/masked.js";
import type { RecordType } from "../records/record-type.js";
import type { ConnectionContainer } from "../registration/connection-contracts.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import { type Finding, shown } from "../validation/finding.js";
import { validate } from "../validation/findings.js";
import { memberOf } from "./unsure.js";

/** A connection that can't be used; the message names the reason, or all that is wrong with its properties. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";

  constructor(
    message: string,
    /** What the properties have wrong; sensitive values are hidden. */
    readonly findings: readonly Finding[] = [],
  ) {
    super(message);
  }
}

/** A connection that fits its definition. */
export interface CheckedConnection {
  readonly type: RecordType;
  /** What must not be shown of it. */
  readonly secrets: readonly string[];
}

/** @throws ConnectionError where no definition has the key, or the properties do not fit the one that has. */
export function checkedConnection<Client>(
  registration: Pick<ConnectorRegistration<Client>, "connections">,
  container: ConnectionContainer,
): CheckedConnection {
  const key = memberOf(container, "DefinitionKey");
  const type = registration.connections.find((one) => one.key === key)?.properties;
  if (type === undefined) {
    const name = typeof key === "string" ? key : shown(key);
    throw new ConnectionError(`Unable to find services for definition key ${name}`);
  }
  const place = `Connection ${String(key)}`;
  const properties = parsed(memberOf(container, "Configuration"));
  if (properties === undefined) throw new ConnectionError(`${place}: its Configuration is not JSON`);
  const findings = validate(type, properties);
  if (findings.length > 0) {
    throw new ConnectionError(`${place}: ${findings.map(({ message }) => message).join("; ")}`, findings);
  }
  return { type, secrets: sensitiveValues(properties, type.schema) };
}

/** The parser's own message would quote the text, secrets and all. */
function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
