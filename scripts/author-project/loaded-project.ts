/** What loading a project gives, and which file of a folder is its root module. */
import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT_MODULES } from "../../generators/layout.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";

/** Path and content hash of each file. */
export type FileHashes = readonly (readonly [file: string, hash: string])[];

/**
 * Which findings have their line: to find it the project's files are parsed. `definitions`: all of them, and where
 * every definition stands.
 */
export type Located = "errors" | "all" | "definitions";

/** A place in the author's code; `file` is absolute, line and column count from 1. */
export interface CodePlace {
  /** Path of the file, absolute. */
  readonly file: string;
  /** Line, counted from 1. */
  readonly line: number;
  /** Column, counted from 1. */
  readonly column: number;
}

/** A call in the author's code that an error came through. */
export interface AuthorFrame extends CodePlace {
  /** Name of the function, such as `readProjects`; absent at the top level of a module. */
  readonly name?: string;
}

/** Where the author's code defines the value at a pointer of `connector.json`. */
export type Origins = readonly (readonly [pointer: string, place: CodePlace])[];

/** What a project is, once it is loaded. Without a model, an error among the diagnostics says why. */
export interface LoadedProject {
  /** The model, if the modules could be loaded. */
  readonly model?: ConnectorModel;
  /** The text of `connector.json`. */
  readonly connectorJson?: string;
  /** Sorted by place; files are absolute. */
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that their author silenced, each with the reason. */
  readonly silenced?: readonly Diagnostic[];
  /** The files that it was loaded from, if they are known not to have changed since. */
  readonly inputs?: FileHashes;
  /** Present only if definitions were asked for. */
  readonly origins?: Origins;
}

/** The root module of the project in `root`, absolute; undefined if there is none. */
export function rootModule(root: string): string | undefined {
  return ROOT_MODULES.map((name) => path.join(root, name)).find((file) => existsSync(file));
}
