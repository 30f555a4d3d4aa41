/** The base address of a connection (spec §2.1). */

const NOTHING_SET = "No base url was set.";

/** The address of the environment, by its number. @throws Error where none belongs to it. */
export function environmentUrl(environment: unknown, addresses: Readonly<Record<number, string>>): string {
  const known = typeof environment === "number" && Object.hasOwn(addresses, environment);
  return givenUrl(known ? addresses[environment] : undefined);
}

/** An address that a user entered. @throws Error where there is none. */
export function givenUrl(address: unknown): string {
  if (typeof address !== "string" || address === "") throw new Error(NOTHING_SET);
  return address;
}
