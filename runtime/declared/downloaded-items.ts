/** The records of a downloaded file, one after the other, in constant memory. A file that breaks off is an error. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RecordType } from "../records/record-type.js";
import { type CellReader, cellReader } from "./csv-values.js";
import { jsonItems, parsedItem } from "./json-items.js";

/** How a file holds records. */
export type FileFormat =
  | {
      /** A record a line, each as JSON. */
      readonly format: "jsonLines";
    }
  | {
      /** One JSON text. */
      readonly format: "json";
      /** Way to the list of records; `$` if the file is the list. */
      readonly items: string;
    }
  | {
      /**
       * A record a line, below a line with the names of the columns. Cells become what the schema of the record asks for:
       * numbers, booleans, lists and objects (as JSON); an empty cell null, if the property can be null.
       */
      readonly format: "csv";
      /**
       * What stands between two cells.
       * @default ","
       */
      readonly delimiter?: string;
      /**
       * Serialized names of properties by the names of their columns.
       * @default columns have the names of properties
       */
      readonly columns?: Readonly<Record<string, string>>;
    };

/** The names of all formats. */
export const FILE_FORMATS: readonly FileFormat["format"][] = ["jsonLines", "json", "csv"];

/** The longest line, in characters: a file without an end must not fill the memory. */
const MAX_LINE_LENGTH = 16 * 1_024 * 1_024;
/** In bytes: the parser takes long for a row of more. */
const MAX_ROW_LENGTH = 4 * 1_024 * 1_024;

/** What is wrong with a file, in words that quote nothing of it. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
}

/**
 * The items of a file, which may be compressed by gzip.
 * @throws FileProblem if it can't be read, or breaks off.
 */
export async function* downloadedItems(
  body: AsyncIterable<Uint8Array>,
  file: FileFormat,
  type: Pick<RecordType, "schema">,
): AsyncGenerator<unknown> {
  const bytes = decompressed(body);
  try {
    if (file.format === "csv") yield* csvItems(bytes, file, type);
    else if (file.format === "json") yield* jsonItems(textsOf(bytes), file.items);
    else yield* jsonLines(textsOf(bytes));
  } catch (error) {
    throw error instanceof SyntaxError ? new FileProblem(error.message) : error;
  }
}

/** The bytes as they are, or as they were before they were compressed: by the two bytes with which gzip begins. */
async function* decompressed(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  let start = new Uint8Array();
  while (start.length < 2) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  const all = (async function* () {
    try {
      if (start.length > 0) yield start;
      yield* { [Symbol.asyncIterator]: () => pieces };
    } finally {
      await pieces.return?.();
    }
  })();
  if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* all;
  const { createGunzip } = await import("node:zlib");
  const gunzip = createGunzip();
  const piped = pipeline(Readable.from(all, { objectMode: false }), gunzip);
  // What fails is thrown where the bytes are read.
  piped.catch(() => {});
  try {
    yield* gunzip;
  } catch (error) {
    throw isOfZlib(error) ? new FileProblem("it breaks off, or its gzip is damaged") : error;
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
}

/** @throws FileProblem if the bytes are no UTF-8. */
async function* textsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new FileProblem("it is no UTF-8");
    }
  };
  for await (const piece of bytes) yield decode(piece);
  yield decode();
}

async function* jsonLines(texts: AsyncIterable<string>): AsyncGenerator<unknown> {
  let count = 0;
  for await (const line of linesOf(texts)) if (line.trim() !== "") yield parsedItem(line, ++count);
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of texts) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_LENGTH)
      throw new FileProblem(`a line is longer than ${MAX_LINE_LENGTH} characters`);
    yield* lines;
  }
  yield rest;
}

async function* csvItems(
  bytes: AsyncIterable<Uint8Array>,
  { delimiter = ",", columns: renamed = {} }: Extract<FileFormat, { format: "csv" }>,
  type: Pick<RecordType, "schema">,
): AsyncGenerator<unknown> {
  const { parse } = await import("csv-parse");
  const parser = parse({ bom: true, delimiter, skip_empty_lines: true, max_record_size: MAX_ROW_LENGTH });
  // The parser reads bytes, and takes what is no UTF-8 for U+FFFD.
  const texts = Readable.from(textsOf(bytes), { objectMode: false });
  const piped = pipeline(texts, parser);
  piped.catch(() => {});
  let columns: readonly (readonly [name: string, read: CellReader])[] | undefined;
  try {
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      if (columns === undefined) columns = columnsOf(cells, renamed, type);
      else yield recordOf(columns, cells);
    }
  } catch (error) {
    if (!isOfParser(error)) throw error;
    const where = error.records === 0 ? "its first line" : `record ${error.records}`;
    throw new FileProblem(`${where} can't be read as CSV`);
  }
  if (columns === undefined) throw new FileProblem("it is empty, and has not even the names of columns");
}

/** The parser's own message quotes the file. */
function isOfParser(error: unknown): error is Error & { readonly records: number } {
  return error instanceof Error && "records" in error && /^CSV_/.test(String(Reflect.get(error, "code")));
}

/** @throws FileProblem if two columns are of one property, or a column that was declared is not there. */
function columnsOf(
  header: readonly string[],
  renamed: Readonly<Record<string, string>>,
  type: Pick<RecordType, "schema">,
): readonly (readonly [name: string, read: CellReader])[] {
  const missing = Object.keys(renamed).find((column) => !header.includes(column));
  if (missing !== undefined) throw new FileProblem(`it has no column "${missing}"`);
  const names = header.map((column) =>
    Object.hasOwn(renamed, column) ? (renamed[column] ?? column) : column,
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new FileProblem(`two of its columns are of "${twice}"`);
  return names.map((name) => [name, cellReader(type, name)] as const);
}

function recordOf(
  columns: readonly (readonly [name: string, read: CellReader])[],
  cells: readonly string[],
): unknown {
  const members = columns.map(([name, read], index) => [name, read(cells[index] ?? "")] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
