/** Reads the OpenAPI document that a file or an address names, with its overlays and the files beside it. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";
import type { OverlayFile } from "../../generators/openapi/reading/overlays.js";
import {
  type DocumentFiles,
  type ReadDescription,
  readDescription,
} from "../../generators/openapi/reading/read-description.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { fetchText, isAddress } from "../system/fetch-document.js";
import { readText } from "../system/read-text.js";

const MAX_DOCUMENT_MB = 64;

/** What to read. */
export interface SourceOptions {
  /** A file, from the folder of the process, or an address that begins with `https://`. */
  readonly source: string;
  /** Files of overlays, in the order in which they are applied. */
  readonly overlays: readonly string[];
  /** Asks a download to stop. */
  readonly signal?: AbortSignal | undefined;
}

/** A document that was read, or the findings that say why not. */
export interface ReadSource extends ReadDescription {
  /** Of all texts that were read: of the document, its overlays, and the files beside it. */
  readonly sha256: string;
}

/** Reads the document, and never throws for what it meets. */
export async function readSource({ source, overlays, signal }: SourceOptions): Promise<ReadSource> {
  const isRemote = isAddress(source);
  const file = isRemote ? source : path.resolve(source);
  try {
    const text = isRemote
      ? await fetchText(source, MAX_DOCUMENT_MB, signal)
      : readText(file, MAX_DOCUMENT_MB);
    const files = isRemote ? onlyFile("openapi", text) : filesBeside(file, text);
    const folder = isRemote ? undefined : path.dirname(file);
    const named = overlays.map((name) => readOverlay(path.resolve(name), folder));
    const changes = named.filter((overlay) => "text" in overlay);
    const unread = named.filter((overlay) => "code" in overlay);
    const texts = new Map(changes.map((overlay) => [`overlay ${overlay.name}`, overlay.text]));
    const read = readDescription({
      ...files,
      overlays: changes,
      text: (name) => {
        const found = files.text(name);
        if (found !== undefined) texts.set(name === files.main ? "" : name, found);
        return found;
      },
    });
    const diagnostics = read.diagnostics.map((found) =>
      found.file === undefined || folder === undefined
        ? found
        : { ...found, file: path.resolve(folder, found.file) },
    );
    return { ...read, sha256: hashOf(texts), diagnostics: [...unread, ...diagnostics] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const place = isRemote ? {} : { file };
    const shown = isRemote ? withoutSecrets(source) : file;
    const finding = diagnostic("openapi-unreadable", place, { source: shown, reason });
    return { ...NOTHING_READ, diagnostics: [finding] };
  }
}

const NOTHING_READ: ReadSource = {
  ...readDescription({ main: "", text: () => undefined }),
  sha256: "",
};

/** One hash for all texts, in whatever order they were read. */
function hashOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [name, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([name, text]));
  return hash.digest("hex");
}

/** An overlay, named from the document's folder. */
function readOverlay(file: string, folder: string | undefined): OverlayFile | Diagnostic {
  const name = folder === undefined ? file : path.relative(folder, file);
  try {
    return { name: name.replaceAll(path.sep, "/"), text: readText(file, MAX_DOCUMENT_MB) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return diagnostic("openapi-unreadable", { file }, { source: file, reason });
  }
}

/** An address without what may be a secret in it. */
export function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return "The address";
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

function onlyFile(main: string, text: string): DocumentFiles {
  return { main, text: (name) => (name === main ? text : undefined) };
}

/** The document and the files below its folder. A link that leads out of it is no such file. */
function filesBeside(file: string, text: string): DocumentFiles {
  const folder = realpathSync(path.dirname(file));
  const main = path.basename(file);
  return {
    main,
    text: (name) => {
      if (name === main) return text;
      try {
        const real = realpathSync(path.join(folder, name));
        return real.startsWith(`${folder}${path.sep}`) ? readText(real, MAX_DOCUMENT_MB) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
