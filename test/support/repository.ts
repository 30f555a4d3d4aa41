/** Where the sources stand, for tests that run from `dist/test`. */
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../../", import.meta.url);

/** The path of a file or folder of the repository, named from its root. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

const SOAKING = process.env["SOAK"] !== undefined;

/** How often a property is tried: half as often as given, or twenty times as often where SOAK is set. */
export function runs(count: number): number {
  return SOAKING ? count * 20 : Math.ceil(count / 2);
}

/**
 * The lines of TypeScript under which a project is compiled. The older one takes a multiple of the time: in the short
 * form the types that authors see are held to it.
 */
export const COMPILERS: readonly ("5.9" | "7")[] = SOAKING ? ["5.9", "7"] : ["7"];

/** What the long form of a test has, where SOAK is set, or what the short form has in its place. */
export function longOr<T>(long: T, short: T): T {
  return SOAKING ? long : short;
}

/** The milliseconds that such a property may take. */
export const SLOW_TEST_MS = SOAKING ? 1_800_000 : 240_000;
