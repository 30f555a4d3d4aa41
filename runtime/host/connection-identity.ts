/** What tells one connection from another: where it leads, and nothing that is secret. */
import { createHash } from "node:crypto";
import { environmentName } from "../base-url.js";
import { createSecretRedaction } from "../log/redaction.js";
import type { ConnectionContainer } from "../registration/connection-contracts.js";
import type { ConnectionIdentity } from "../store/store.js";
import { safeGet } from "../untrusted.js";

/**
 * @param connection The instance of the generated class, which knows the base address.
 * @param secrets The sensitive values of the connection.
 */
export function connectionIdentity(
  { DefinitionKey, Configuration }: ConnectionContainer,
  connection: unknown,
  secrets: readonly string[],
): ConnectionIdentity {
  const address = safeGet(connection, "BaseUrl");
  return {
    definition: DefinitionKey,
    environment: environmentName(JSON.parse(Configuration)),
    address: typeof address === "string" ? shownAddress(address, secrets) : null,
  };
}

/** The address without credentials and query; a hash of it if even that would show a secret. */
function shownAddress(address: string, secrets: readonly string[]): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const shown = url === undefined ? address : url.origin + url.pathname.replace(/\/+$/, "");
  if (createSecretRedaction(secrets).text(shown) === shown) return shown;
  return `sha256-${createHash("sha256").update(shown).digest("base64url").slice(0, 16)}`;
}
