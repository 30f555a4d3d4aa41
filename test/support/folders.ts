/** Folders of tests: made with what they hold, looked at, and removed when the test file ends. */

import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { GeneratedFile } from "../../generators/emitters/index.js";
import { inRepository } from "./repository.js";

/** Content by path; `null` for a folder, `undefined` for what is neither a file nor a folder. */
export type Tree = Readonly<Record<string, string | null | undefined>>;

const folders = new Set<string>();

/** Removes the folders of the tests; the root hooks call it. */
export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** A new folder holding `files`, by their path. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-test-"));
  folders.add(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** Puts this package and TypeBox where `npm install` would, so that a compiler finds them. */
export function installInto(folder: string): void {
  mkdirSync(path.join(folder, "node_modules", "@sinclair"), { recursive: true });
  symlinkSync(inRepository("."), path.join(folder, "node_modules", "connectorcli"), "junction");
  const typebox = inRepository("node_modules/@sinclair/typebox");
  symlinkSync(typebox, path.join(folder, "node_modules", "@sinclair", "typebox"), "junction");
}

/** Puts `files` into `folder` as they are, without the writer. */
export function putFiles(folder: string, files: readonly GeneratedFile[]): void {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file.path)), { recursive: true });
    writeFileSync(path.join(folder, file.path), file.content);
  }
}

/** Every file below `folder`, relative, without `node_modules`. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .filter((file) => !file.startsWith("node_modules/"))
    .sort();
}

/** Everything below `folder`, without what the writer keeps there for itself. */
export function treeOf(folder: string): Tree {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const place = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, place).split(path.sep).join("/");
    const content = entry.isDirectory()
      ? null
      : lstatSync(place).isFile()
        ? readFileSync(place, "utf8")
        : undefined;
    return [name, content] as const;
  });
  const authors = entries.filter(([name]) => !/^\.connectorcli(?:\/|$)/.test(name));
  return Object.fromEntries(authors.sort(([a], [b]) => (a < b ? -1 : 1)));
}
