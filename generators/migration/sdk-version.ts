/** The version of the SDK that a project asks for: structured connections came with 1.3.3 (spec §9). */
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { lt, minVersion, validRange } from "semver";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { type SourceFiles, type Splice, spliced } from "../source-edits/index.js";

const LEAST = "1.3.3";
const PACKAGE_FILE = "package.json";
const SECTIONS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** Raises what `package.json` asks for to `version`, where it is less than it must be; says what it found. */
export function raiseSdk(files: SourceFiles, version: string): readonly Diagnostic[] {
  const text = files.text(PACKAGE_FILE) ?? "";
  const root = parseTree(text);
  const wanted = `^${version}`;
  const nodes = SECTIONS.flatMap(
    (section) => (root && findNodeAtLocation(root, [section, "connectorcli"])) ?? [],
  );
  if (nodes.length === 0) return [diagnostic("migration-sdk-unstated", { file: PACKAGE_FILE }, { wanted })];
  const old = nodes.filter(({ value }) => typeof value === "string" && isBelow(value));
  const splices = old.map(({ offset, length }): Splice => {
    return { start: offset, end: offset + length, text: JSON.stringify(wanted) };
  });
  files.set(PACKAGE_FILE, spliced(text, splices));
  return old.map(({ value, offset }) => {
    const place = { file: PACKAGE_FILE, line: text.slice(0, offset).split("\n").length };
    return diagnostic("migration-sdk-old", place, { range: String(value), least: LEAST, wanted });
  });
}

/** What is no range, such as a folder or an address, says nothing of its version. */
function isBelow(range: string): boolean {
  const least = validRange(range) === null ? null : minVersion(range);
  return least !== null && lt(least, LEAST);
}
