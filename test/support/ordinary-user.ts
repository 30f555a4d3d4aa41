/** A user without rights, and the built package where that user can load it: permissions do not bind root. */
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inRepository } from "./repository.js";

/** The bundled command line, named from the root of the repository. */
export const COMMAND_FILE = "dist/bundled/connectorcli.js";

export interface OrdinaryUser {
  /** The user and group to run programs as; undefined if the tests themselves run without rights. */
  readonly id: number | undefined;
  /** The path of a file of the repository, named from its root, that the user can read. */
  file(name: string): string;
  /** Removes what was copied. */
  remove(): void;
}

const NOBODY = 65_534;

/** The user of a test, which is skipped with the reason where there can't be one. */
export function userWithoutRights(context: Mocha.Context): OrdinaryUser {
  const user = ordinaryUser();
  if (typeof user !== "string") return user;
  if (context.test !== undefined) context.test.title += ` (skipped: ${user})`;
  return context.skip();
}

/** A user who may write nothing; or why there can't be one here. */
function ordinaryUser(): OrdinaryUser | string {
  if (process.platform === "win32") return "Windows has other permissions";
  if (process.getuid?.() !== 0) return { id: undefined, file: inRepository, remove() {} };
  if (!isOpenToOthers(process.execPath)) return `${process.execPath} can only be run by its owner`;
  if (!isOpenToOthers(tmpdir())) return `${tmpdir()} can only be entered by its owner`;
  if (isOpenToOthers(inRepository("dist"))) return { id: NOBODY, file: inRepository, remove() {} };
  const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-test-"));
  chmodSync(folder, 0o755);
  cpSync(inRepository("package.json"), path.join(folder, "package.json"));
  cpSync(inRepository("dist"), path.join(folder, "dist"), { recursive: true });
  for (const name of neededPackages())
    cpSync(inRepository(name), path.join(folder, name), { recursive: true, dereference: true });
  return {
    id: NOBODY,
    file: (name) => path.join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The folders of all packages that the built code needs, as the lock file lists them. */
function neededPackages(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(inRepository("package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([name, { dev }]) => name !== "" && dev !== true && isThere(inRepository(name)))
    .map(([name]) => name);
}

function isThere(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether every user may enter the folders down to `place`, and read it. */
function isOpenToOthers(place: string): boolean {
  const wanted = statSync(place).isDirectory() ? 0o005 : 0o004;
  if ((statSync(place).mode & wanted) !== wanted) return false;
  for (let folder = path.dirname(place); ; folder = path.dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
