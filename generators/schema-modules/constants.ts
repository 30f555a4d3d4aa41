/** Shapes that a module repeats become named constants: in the file that uses them, or in one that files share. */
import type { SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import type { NamingConvention } from "../../schemas/naming/conventions.js";
import { classIdentifier, isReserved, unique } from "../../schemas/naming/identifiers.js";
import { lowerFirst, upperFirst } from "../../schemas/naming/words.js";
import { type Code, list, ts, valueSymbol } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import type { ModulePrinter } from "../typescript/module-printer.js";
import { schemaCode } from "./schema-expression.js";

/** A document, with the file that it is written in. */
export interface PlacedDocument {
  readonly file: string;
  readonly document: SchemaDocument;
  readonly convention: NamingConvention;
  /** The data object that it belongs to, by its name in code. */
  readonly owner: string;
  /** What a constant of the whole document is called, if it may be one. */
  readonly rootName?: string;
}

export interface Constant {
  /** Of a TypeBox object; of a list, if the schema is an enum. */
  readonly name: string;
  readonly schema: SchemaModel;
  readonly convention: NamingConvention;
  /** The file that defines it, or undefined where several files use it. */
  readonly file: string | undefined;
}

export interface Constants {
  /** In an order in which each stands behind those that it uses. */
  readonly all: readonly Constant[];
  find(schema: SchemaModel, convention: NamingConvention): Constant | undefined;
}

interface Candidate {
  readonly key: string;
  readonly schema: SchemaModel;
  readonly convention: NamingConvention;
  readonly name: string;
  /** What it was first met in: it goes before the name if that is taken. */
  readonly parent: string;
  /** Keys of the candidates that it is used in. */
  readonly users: Set<string>;
  /** Files that use it outside any candidate. */
  readonly files: Set<string>;
  uses: number;
}

const FEWEST_PROPERTIES = 2;
const FEWEST_MEMBERS = 3;

/** The constants as a module of the project uses them: by name, imported where they stand in another file. */
export function constantIn(constants: Constants, convention: NamingConvention, sharedFile: string) {
  return (schema: SchemaModel): Code | undefined => {
    const constant = constants.find(schema, convention);
    if (constant === undefined) return undefined;
    return valueSymbol(constant.file ?? sharedFile, constant.name);
  };
}

/** Prints every constant of `file`, or the shared ones, in an order in which each is known. */
export function printConstants(
  constants: Constants,
  file: string | "shared",
  printer: ModulePrinter,
  sharedFile: string,
): void {
  const isShared = file === "shared";
  for (const { schema, convention, name } of constants.all.filter(
    (constant) => constant.file === (isShared ? undefined : file),
  )) {
    const head = `${isShared ? "export " : ""}const ${name}`;
    if (schema.kind === "enum") {
      printer.print(ts`${head} = ${list(schema.members.map(stringLiteral))} as const;`);
    } else if (schema.kind === "object") {
      const { form: _, ...rest } = schema;
      const shape = { ...rest, nullable: false, keywords: [] };
      const constant = constantIn(constants, convention, sharedFile);
      const code = schemaCode(shape, {
        convention,
        constant: (inner) => (inner === shape ? undefined : constant(inner)),
        // A shape with references is no constant.
        reference: stringLiteral,
      });
      printer.print(ts`${head} = ${code};`);
    }
  }
}

/** The repeated shapes of `documents`; their names are new in `taken`. */
export function findConstants(documents: readonly PlacedDocument[], taken: Set<string>): Constants {
  const candidates = new Map<string, Candidate>();
  const finished: Candidate[] = [];
  for (const placed of documents) {
    const { document, owner, rootName } = placed;
    const outermost: readonly (readonly [string, SchemaModel])[] =
      rootName === undefined ? childrenOf(document.root, "") : [[rootName, document.root]];
    for (const [name, child] of outermost) {
      collect(child, { name, parent: owner }, undefined, placed, candidates, finished);
    }
  }
  return repeatedShapes(finished, candidates, taken);
}

/** Counts the shapes in `schema`; `finished` gets each new one behind those that are in it. */
function collect(
  schema: SchemaModel,
  named: Pick<Candidate, "name" | "parent">,
  within: Candidate | undefined,
  placed: PlacedDocument,
  candidates: Map<string, Candidate>,
  finished: Candidate[],
): void {
  const key = isWorthNaming(schema) ? shapeKey(schema, placed.convention) : undefined;
  const known = key === undefined ? undefined : candidates.get(key);
  const own = known ?? (key === undefined ? undefined : newCandidate(key, schema, placed.convention, named));
  if (own !== undefined) noteUse(own, within, placed.file, candidates);
  // A shape that was met before is one use, whatever is in it.
  if (known !== undefined) return;
  const parent = schema.kind === "object" ? named.name : named.parent;
  for (const [name, child] of childrenOf(schema, named.name)) {
    collect(child, { name, parent }, own ?? within, placed, candidates, finished);
  }
  if (own !== undefined) finished.push(own);
}

function noteUse(
  candidate: Candidate,
  within: Candidate | undefined,
  file: string,
  candidates: Map<string, Candidate>,
): void {
  candidate.uses++;
  if (within === undefined) candidate.files.add(file);
  else candidate.users.add(within.key);
  candidates.set(candidate.key, candidate);
}

function newCandidate(
  key: string,
  schema: SchemaModel,
  convention: NamingConvention,
  named: Pick<Candidate, "name" | "parent">,
): Candidate {
  return { key, schema, convention, ...named, users: new Set(), files: new Set(), uses: 0 };
}

/** Whether the payload `document` has just the properties of the data object whose schema is `own`. */
export function isSameShape(
  { root, definitions }: SchemaDocument,
  own: SchemaDocument,
  convention: NamingConvention,
): boolean {
  return (
    root.kind === "object" &&
    !root.nullable &&
    root.properties.length >= FEWEST_PROPERTIES &&
    definitions.length + own.definitions.length === 0 &&
    shapeKey(root, convention) === shapeKey(own.root, convention)
  );
}

/** The identity of a shape: everything but the keywords and the form of its own root, and whether it may be null. */
export function shapeKey(schema: SchemaModel, convention: NamingConvention): string {
  return `${convention} ${JSON.stringify({ ...schema, nullable: false, keywords: [], form: undefined })}`;
}

function repeatedShapes(
  finished: readonly Candidate[],
  candidates: ReadonlyMap<string, Candidate>,
  taken: Set<string>,
): Constants {
  const known = new Map<Candidate, ReadonlySet<string>>();
  const filesOf = (candidate: Candidate): ReadonlySet<string> => {
    const files = known.get(candidate) ?? new Set(candidate.files);
    if (known.has(candidate)) return files;
    known.set(candidate, files);
    const users = [...candidate.users].flatMap((key) => candidates.get(key) ?? []);
    const all = new Set([...files, ...users.flatMap((user) => [...filesOf(user)])]);
    known.set(candidate, all);
    return all;
  };
  const all = finished
    .filter(({ uses }) => uses > 1)
    .map((candidate): Constant => {
      const files = [...filesOf(candidate)];
      const { schema, convention } = candidate;
      return {
        name: unique(constantName(candidate, taken), taken),
        schema,
        convention,
        file: files.length === 1 ? files[0] : undefined,
      };
    });
  const byKey = new Map(all.map((constant) => [shapeKey(constant.schema, constant.convention), constant]));
  return {
    all,
    find: (schema, convention) =>
      isWorthNaming(schema) ? byKey.get(shapeKey(schema, convention)) : undefined,
  };
}

/** The name alone; with what it was met in before it, if another has that name. */
function constantName({ name, parent, schema }: Candidate, taken: ReadonlySet<string>): string {
  const names = [name || "Item", `${parent}${name || "Item"}`].map((text) => {
    const identifier = classIdentifier(text);
    return schema.kind === "enum" ? plural(lowerFirst(identifier)) : identifier;
  });
  return names.find((candidate) => !taken.has(candidate)) ?? names[1] ?? "";
}

/** A list of values: `statuses`, `countries`, `modes`. */
function plural(name: string): string {
  if (/(?:s|x|ch|sh)$/.test(name)) return `${name}es`;
  const text = /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
  return isReserved(text) ? `${name}Values` : text;
}

function isWorthNaming(schema: SchemaModel): boolean {
  if (schema.kind === "enum") return schema.members.length >= FEWEST_MEMBERS;
  return schema.kind === "object" && schema.properties.length >= FEWEST_PROPERTIES && !hasReference(schema);
}

function hasReference(schema: SchemaModel): boolean {
  return schema.kind === "reference" || childrenOf(schema, "").some(([, child]) => hasReference(child));
}

/** Schemas directly inside, with the name that a constant for each would have. */
function childrenOf(schema: SchemaModel, name: string): readonly (readonly [string, SchemaModel])[] {
  switch (schema.kind) {
    case "object":
      return schema.properties.map((property) => [classIdentifier(property.name), property.schema]);
    case "array":
      return [[singular(name), schema.items]];
    case "dictionary":
      return [[singular(name), schema.values]];
    default:
      return [];
  }
}

/** `Columns` gives `Column`, `Categories` gives `Category`; `Status` and `Address` stay. */
function singular(name: string): string {
  if (/ies$/i.test(name)) return upperFirst(`${name.slice(0, -3)}y`);
  if (/(?:xes|ches|shes|sses)$/i.test(name)) return name.slice(0, -2);
  if (/(?:list|data)$/i.test(name) && name.length > 6) return `${name.slice(0, -4)}Item`;
  return /[^su]s$/i.test(name) ? name.slice(0, -1) : name;
}
