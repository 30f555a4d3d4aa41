/** Looks for secrets where none may be: in what was said, in records, and in calls to others. */

import { sensitiveValues } from "../../records/masking.js";
import type { ConnectionContainer } from "../../registration/connection-contracts.js";
import type { ConnectorRegistration } from "../../registration/registration.js";
import { Flaw } from "./flaw.js";
import type { World } from "./world.js";

/** Shorter ones may be met by chance. */
const LEAST_LENGTH = 4;

/** Records hold many values, short ones among them. */
const LEAST_LENGTH_IN_RECORDS = 8;

/** What is looked at: a world, or a real target system, of which nobody knows what it holds. */
export interface Watched
  extends Pick<World, "calls" | "credentials" | "hasTokens" | "said">,
    Partial<Pick<World, "held" | "origins">> {
  readonly fake: Pick<World["fake"], "connection" | "origin">;
}

/** How much of a world was looked at: its cases come one after the other. */
const looked = new WeakMap<Watched, { readonly lines: number; readonly calls: number }>();

/** Looks at what is new in a world since it was looked at last. @throws Flaw for the first secret that was found. */
export function expectSecrecy(
  world: Watched,
  registration: ConnectorRegistration,
  printed: readonly string[],
): void {
  const before = looked.get(world) ?? { lines: 0, calls: 0 };
  looked.set(world, { lines: world.said.length, calls: world.calls.all.length });
  const lines = [...world.said.slice(before.lines), ...printed];
  const secrets = secretsOf(registration, world.fake.connection);
  const tokens = bearerTokens(world);
  for (const secret of [...secrets, ...tokens]) {
    const line = lines.find((text) => text.includes(secret));
    if (line !== undefined)
      throw new Flaw(
        "acceptance-secret-shown",
        `a secret of the connection stands in what it logs or says: ${masked(line, secret)}`,
      );
  }
  expectHidden(world, lines);
  const own = ownOrigins(world);
  for (const { url, headers, body, purpose, secretParameters } of world.calls.all.slice(before.calls)) {
    const { origin, pathname } = new URL(url);
    const shown = purpose === "call" ? withoutParameters(url, secretParameters) : "";
    if (secrets.some((secret) => holds(shown, secret)))
      throw new Flaw(
        "acceptance-secret-shown",
        `a secret of the connection stands in the address of a call to ${pathname}, where logs of others keep it; if it has to be there, the handler names its parameter in secretParameters, as apiKeyHandler does`,
      );
    if (own.has(origin)) continue;
    const sent = [url, ...Object.values(headers), body ?? ""].join("\n");
    if ([...secrets, ...tokens].some((secret) => holds(sent, secret)) || "authorization" in headers)
      throw new Flaw(
        "acceptance-credentials-elsewhere",
        `credentials are sent to ${origin}, which is not the target system`,
      );
  }
}

/** What is write-only in records is never shown. */
function expectHidden({ held = new Map() }: Watched, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const text = lines.join("\n");
  for (const { type, all } of held.values())
    for (const { record } of all()) {
      const shown = sensitiveValues(record, type.schema).find(
        (value) => value.length >= LEAST_LENGTH_IN_RECORDS && text.includes(value),
      );
      if (shown !== undefined)
        throw new Flaw(
          "acceptance-secret-shown",
          `a write-only value of a ${type.name} stands in what it logs or says: ${masked(text, shown)}`,
        );
    }
}

function withoutParameters(url: string, names: readonly string[]): string {
  const rest = new URL(url);
  for (const name of names) rest.searchParams.delete(name);
  return rest.href;
}

function holds(text: string, secret: string): boolean {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")].some((form) =>
    text.includes(form),
  );
}

function secretsOf(
  { connections }: ConnectorRegistration,
  container: ConnectionContainer,
): readonly string[] {
  const connection = connections.find(({ key }) => key === container.DefinitionKey);
  if (connection === undefined) return [];
  const values = sensitiveValues(JSON.parse(container.Configuration), connection.properties.schema);
  return values.filter((value) => value.length >= LEAST_LENGTH);
}

function bearerTokens({ calls, hasTokens }: Watched): readonly string[] {
  if (!hasTokens) return [];
  const tokens = calls.all.map(
    ({ headers }) => /^Bearer (.{8,})$/i.exec(headers["authorization"] ?? "")?.[1],
  );
  return [...new Set(tokens.filter((token) => token !== undefined))];
}

/** Where the connections say that the target system is, or else where the first call goes; and where tokens come from. */
function ownOrigins({ calls, fake, origins = new Set() }: Watched): ReadonlySet<string> {
  const [first] = calls.all.filter(({ purpose }) => purpose === "call");
  const tokens = calls.all.filter(({ purpose }) => purpose === "token").map(({ url }) => new URL(url).origin);
  const meant = origins.size > 0 || first === undefined ? origins : [new URL(first.url).origin];
  return new Set([fake.origin, ...tokens, ...meant]);
}

function masked(line: string, secret: string): string {
  const at = line.indexOf(secret);
  return `…${line.slice(Math.max(at - 30, 0), at)}[the secret]`;
}
