/** Where the store of a project is, and the finding that it can't be used. */
import path from "node:path";
import { StoreError } from "../../runtime/store/store.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { CACHE_FOLDER } from "../system/cache-folder.js";

/** Which store a project uses. */
export interface StoreFileOptions {
  /**
   * The store's file. @default .connectorcli-cache/store.db in the project's folder, which git ignores; fake.db there for a
   * fake target system
   */
  readonly storeFile?: string | undefined;
  /** Text of the key by which the store is sealed, see `localKeys` of `connectorcli/host`. @default it is not sealed */
  readonly storeKey?: string | undefined;
}

/** The store's file: the given one, or the project's own. */
export function storeFileOf({
  folder,
  storeFile,
  fake,
}: StoreFileOptions & { readonly folder: string; readonly fake?: string | undefined }): string {
  const name = fake === undefined ? "store.db" : "fake.db";
  return storeFile === undefined ? path.resolve(folder, CACHE_FOLDER, name) : path.resolve(storeFile);
}

/** The finding that a store can't be used; a store of a database has no file. */
export function storeFinding(file: string | undefined, error: unknown): Diagnostic {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
  return diagnostic("store-unusable", file === undefined ? {} : { file }, { reason });
}

/** The finding of a StoreError. @throws what is none. */
export function storeFindingOf(error: unknown, file?: string): Diagnostic {
  if (!(error instanceof StoreError)) throw error;
  return storeFinding(file, error);
}
