/** The version of the SDK that a project asks for: structured connections need 1.3.3 (§9). */
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { lt, minVersion, validRange } from "semver";
import { type Diagnostic, diagnostic, placeInText } from "../../schemas/diagnostics/diagnostic.js";
import { applySplices, type SourceFiles, type Splice } from "../source-edits/index.js";

const LEAST = "1.3.3";
const PACKAGE_FILE = "package.json";
const SECTIONS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** A package.json, and the version of this package. */
interface Manifest {
  readonly text: string;
  /** As findings name it. */
  readonly file: string;
  readonly version: string;
}

/** A finding for each range in a package.json that allows a version which is too old; none if it names no range. */
export function sdkFindings({ text, file, version }: Manifest): readonly Diagnostic[] {
  const wanted = rangeOf(version);
  return rangesIn(text)
    .filter(isBelow)
    .map(({ value, offset }) =>
      diagnostic("migration-sdk-old", placeInText({ file, text }, offset), {
        ...{ range: String(value), least: LEAST, wanted },
      }),
    );
}

/** Raises the ranges that are too old in `package.json` to `version`. Returns the findings. */
export function raiseSdk(files: SourceFiles, version: string): readonly Diagnostic[] {
  const text = files.text(PACKAGE_FILE) ?? "";
  const wanted = rangeOf(version);
  const ranges = rangesIn(text);
  if (ranges.length === 0) return [diagnostic("migration-sdk-unstated", { file: PACKAGE_FILE }, { wanted })];
  const splices = ranges.filter(isBelow).map(({ offset, length }): Splice => {
    return { start: offset, end: offset + length, text: JSON.stringify(wanted) };
  });
  files.set(PACKAGE_FILE, applySplices(text, splices));
  return sdkFindings({ text, file: PACKAGE_FILE, version });
}

function rangeOf(version: string): string {
  return `^${version}`;
}

function rangesIn(text: string): readonly Node[] {
  const root = parseTree(text);
  return SECTIONS.flatMap((section) => (root && findNodeAtLocation(root, [section, "connectorcli"])) ?? []);
}

/** A folder or an address is not a range, and does not tell the version. */
function isBelow({ value }: Node): boolean {
  const least = typeof value !== "string" || validRange(value) === null ? null : minVersion(value);
  return least !== null && lt(least, LEAST);
}
