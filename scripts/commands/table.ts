/** Prints rows as a table: what fits on a terminal, all of it elsewhere. Rows are printed while more of them come. */
import stringWidth from "string-width";
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { isJsonObject } from "../../schemas/json.js";
import { numberOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Output } from "../command-line/shell.js";

/** So many of the latest are listed unless `--tail` says another number. */
const DEFAULT_TAIL = 20;

/** How many of the latest items `--tail` asks for; undefined for all of them, for which 0 stands on the command line. */
export function tailOf(args: Arguments): number | undefined {
  const tail = numberOf(args["tail"]) ?? DEFAULT_TAIL;
  return tail === 0 ? undefined : tail;
}

/** Says that a list may be the end of a longer one. */
export function sayTail(count: number, tail: number | undefined, output: Output): void {
  if (count > 0 && count === tail) output.say(`The last ${count}: --tail 0 lists all.`);
}

/** Cells by the title of their column, in order. What is undefined is left blank. */
export type TableRow = readonly (readonly [title: string, value: unknown])[];

/** How a list is printed: a line of JSON for each item with `--json`, a table otherwise. */
export interface Listing<Item> {
  readonly args: Arguments;
  readonly shell: Output;
  readonly json: (item: Item) => unknown;
  readonly row: (item: Item) => TableRow;
}

/** Prints the items while they come, and returns how many they are. */
export async function printList<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { args, shell, json, row }: Listing<Item>,
): Promise<number> {
  if (args["json"] !== true) return printTable(mapped(items, row), shell);
  let count = 0;
  for await (const item of items) {
    shell.result(`${escapeControls(JSON.stringify(json(item)))}\n`);
    count++;
  }
  return count;
}

async function* mapped<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  row: (item: Item) => TableRow,
): AsyncGenerator<TableRow> {
  for await (const item of items) yield row(item);
}

/** The cells of a record: a column for each member. What is no object has one column. */
export function membersOf(record: unknown): TableRow {
  return isJsonObject(record) ? Object.entries(record) : [["record", record]];
}

/** The width of a column comes from so many rows; those that follow are cut to it. */
const MEASURED_ROWS = 50;
/** Columns of a cell on a terminal. */
const CELL_ON_TERMINAL = 36;
/** Columns of a cell elsewhere. */
const CELL_ELSEWHERE = 200;
const GAP = "  ";

/** Prints the rows and returns how many they are; says at the end which columns a terminal had no room for. */
export async function printTable(
  rows: AsyncIterable<TableRow> | Iterable<TableRow>,
  output: Output,
): Promise<number> {
  let measured: TableRow[] | undefined = [];
  let table: Table | undefined;
  let count = 0;
  for await (const row of rows) {
    count++;
    if (table !== undefined) table.print(row);
    else if (measured !== undefined && measured.push(row) === MEASURED_ROWS) {
      table = new Table(measured, output);
      measured = undefined;
    }
  }
  if (measured !== undefined && measured.length > 0) table = new Table(measured, output);
  table?.end();
  return count;
}

interface Column {
  readonly title: string;
  readonly width: number;
}

class Table {
  readonly #columns: readonly Column[];
  readonly #titles: ReadonlySet<string>;
  readonly #output: Output;
  /** Titles without a column. */
  readonly #left = new Set<string>();

  /** Prints the titles and these rows. */
  constructor(rows: readonly TableRow[], output: Output) {
    this.#output = output;
    this.#columns = fittingColumns(rows, output.columns);
    this.#titles = new Set(this.#columns.map(({ title }) => title));
    this.#printCells(this.#columns.map(({ title }) => title));
    for (const row of rows) this.print(row);
  }

  print(row: TableRow): void {
    const values = new Map(row);
    this.#printCells(this.#columns.map(({ title }) => values.get(title)));
    for (const [title, value] of row)
      if (value !== undefined && !this.#titles.has(title)) this.#left.add(title);
  }

  end(): void {
    if (this.#left.size === 0) return;
    const names = [...this.#left].map(escapeControls).join(", ");
    this.#output.say(`Without a column here: ${names}. --json shows all.`);
  }

  #printCells(values: readonly unknown[]): void {
    const cells = this.#columns.map(({ width }, index) => padded(cut(cellText(values[index]), width), width));
    this.#output.result(`${cells.join(GAP).trimEnd()}\n`);
  }
}

/** The columns of `rows` in the order in which they come first: as many as the terminal has room for, at least one. */
function fittingColumns(
  rows: readonly TableRow[],
  room: number = Number.POSITIVE_INFINITY,
): readonly Column[] {
  const most = room === Number.POSITIVE_INFINITY ? CELL_ELSEWHERE : Math.min(CELL_ON_TERMINAL, room);
  const widths = new Map<string, number>();
  for (const [title, value] of rows.flat()) {
    if (value === undefined) continue;
    const before = widths.get(title) ?? stringWidth(escapeControls(title));
    widths.set(title, Math.min(Math.max(before, stringWidth(cellText(value))), most));
  }
  const columns: Column[] = [];
  let left = room;
  for (const [title, width] of widths) {
    if (columns.length > 0 && width > left) break;
    columns.push({ title, width });
    left -= width + GAP.length;
  }
  return columns;
}

/** Longer texts are cut before they are measured: a cell is never wider than this. */
const MEASURED_CHARACTERS = 4 * CELL_ELSEWHERE;

/** Texts as they are, other values as JSON; nothing that could move a cursor or turn text around. */
function cellText(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return escapeControls(text.slice(0, MEASURED_CHARACTERS));
}

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let result = "";
  let left = width - 1;
  for (const character of text) {
    left -= stringWidth(character);
    if (left < 0) break;
    result += character;
  }
  return `${result}…`;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}
