/** The two package managers that authors run the scripts of a project with. */
import { inRepository } from "./repository.js";

export interface PackageManager {
  readonly name: string;
  /** Program and arguments that run the script `name` with these flags. */
  readonly call: (name: string, flags?: readonly string[]) => readonly [string, ...string[]];
}

export const npm: PackageManager = {
  name: "npm",
  call: (name, flags = []) => ["npm", "run", "--silent", name, ...(flags.length > 0 ? ["--", ...flags] : [])],
};

const YARN = inRepository("node_modules/yarn/bin/yarn.js");

export const yarn: PackageManager = {
  name: "yarn 1.22",
  call: (name, flags = []) => {
    // It has a check of its own, which never looks into package.json's scripts.
    const words = name === "check" ? ["run", name] : [name];
    return [process.execPath, YARN, "--silent", ...words, ...flags];
  },
};
