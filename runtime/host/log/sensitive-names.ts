/** Names of members, headers and parameters whose values are secrets by what they are called. */

/** How such names end, in lower-case letters and digits alone. */
const ENDINGS = [
  "authorization",
  "cookie",
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "secret",
  "token",
  "credential",
  "credentials",
  "apikey",
  "accesskey",
  "privatekey",
  "secretkey",
  "clientassertion",
];

/** Whether `name`, in any convention, is that of a secret: `X-Api-Key`, `client_secret`, `refreshToken`. */
export function isSensitiveName(name: string): boolean {
  const letters = lettersOf(name);
  return ENDINGS.some((ending) => letters.endsWith(ending));
}

/** What a name has in all conventions. */
export function lettersOf(name: string): string {
  return name
    .slice(-LONGEST)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

const LONGEST = 100;
