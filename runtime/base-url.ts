/** The base address of a connection, and the words for one that has none (§2.1, §7). */
import { safeGet } from "./untrusted.js";
import type { Finding } from "./validation/finding.js";

const NO_BASE_URL = "No base url was set.";

/** The property in which a user chooses the environment, in serialized form. */
const ENVIRONMENT_PROPERTY = "connectionEnvironment";

/**
 * The address of an environment.
 * @param environment The number of the environment, as the user chose it: 1 for production, 2 for test.
 * @param addresses The addresses by the number of their environment.
 * @throws Error "No base url was set." if the environment has no address.
 */
export function environmentBaseUrl(
  environment: unknown,
  addresses: Readonly<Record<number, string>>,
): string {
  const hasAddress = typeof environment === "number" && Object.hasOwn(addresses, environment);
  return requireBaseUrl(hasAddress ? addresses[environment] : undefined);
}

/**
 * The address that a user entered.
 * @throws Error "No base url was set." if there is none.
 */
export function requireBaseUrl(address: unknown): string {
  if (typeof address !== "string" || address === "") throw new Error(NO_BASE_URL);
  return address;
}

const ENVIRONMENT_NAMES: Readonly<Record<string, string>> = { 0: "Unknown", 1: "Production", 2: "Test" };

/** The environment that the user chose in these properties (serialized); null if they know none. */
export function environmentName(properties: unknown): string | null {
  const chosen = safeGet(properties, ENVIRONMENT_PROPERTY);
  if (typeof chosen !== "number" && typeof chosen !== "string") return null;
  return ENVIRONMENT_NAMES[chosen] ?? String(chosen);
}

/** `No base url was set. ` if the findings say that the environment is absent or unknown, else the empty text. */
export function missingEnvironmentWords(findings: readonly Finding[]): string {
  return findings.some(isOfEnvironment) ? `${NO_BASE_URL} ` : "";
}

function isOfEnvironment({ instancePath, keyword, expected }: Finding): boolean {
  if (instancePath === "" && keyword === "required") return expected.includes(`"${ENVIRONMENT_PROPERTY}"`);
  return instancePath === `/${ENVIRONMENT_PROPERTY}`;
}
