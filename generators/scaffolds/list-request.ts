/** The call that lists an object, as `--list` says it, and what gives each variable of its path a value. */

import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { variablesIn } from "../../schemas/naming/path-variables.js";
import { lettersOf } from "../../schemas/naming/secret-names.js";
import { urlPartOf } from "../../schemas/naming/words.js";
import type { DataObjectLayout, ModuleLayout } from "../layout.js";
import { isPathPart, keyProperties, propertiesOf } from "./action-payloads.js";
import { listPath, nounOf, unknownProblem } from "./names.js";
import { boundIn, type ScaffoldSource } from "./scaffold.js";

/** A list call, taken apart. */
export interface ListRequest {
  /** Method and path: `GET /projects/{projectId}/timesheets`. */
  readonly list: string;
  /** What stood behind `?`. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Names in braces, each once. */
  readonly variables: readonly string[];
}

/** What gives a variable of a path its value. */
export type VariableSource =
  | {
      readonly kind: "parent";
      /** Name of a data object's class: the list is asked for once for each of its records. */
      readonly object: string;
      /** Serialized name of the property that has the value. */
      readonly property: string;
    }
  | {
      readonly kind: "setting";
      /** Serialized name, in the registration configuration or the connection. */
      readonly name: string;
    };

/** The list that a new reader asks for. */
export interface WantedList {
  /**
   * Method and path: `GET /projects/{projectId}/timesheets`. Without a method it is GET; a query may stand behind the path.
   * @default GET, and a path made from the name of the object
   */
  readonly list?: string | undefined;
  /**
   * Data objects that may give variables of the path their values: `Project`, or `Project.number` for one of its properties.
   * @default all of the module with a reader
   */
  readonly parents?: readonly string[] | undefined;
  /** Names of settings that may do so. @default all */
  readonly settings?: readonly string[] | undefined;
  /** What gives a variable its value, by the variable. @default what is called as the variable is */
  readonly variables?: ReadonlyMap<string, VariableSource> | undefined;
}

/** A variable that nothing, or more than one thing, may give a value. */
export interface OpenVariable {
  readonly variable: string;
  /** What may. */
  readonly sources: readonly VariableSource[];
}

/** The call, and where its values come from. With diagnostics there is none. */
export interface PlannedList {
  readonly request: ListRequest;
  readonly sources: ReadonlyMap<string, VariableSource>;
  readonly open: readonly OpenVariable[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The list of the object `name` of a module. */
export function plannedList(
  name: string,
  wanted: WantedList,
  module: ModuleLayout,
  source: ScaffoldSource,
): PlannedList {
  const text = wanted.list ?? `GET /${listPath(urlPartOf(name))}`;
  const read = readRequest(text);
  const request = typeof read === "string" ? { list: text, query: [], variables: [] } : read;
  const syntax =
    typeof read === "string"
      ? [diagnostic("scaffold-list-invalid", {}, { list: text, problem: read, example: EXAMPLE })]
      : [];
  const known = knownSources(module, source);
  const values = valuesOf(request, wanted, known);
  return { request, ...values, diagnostics: [...syntax, ...nameProblems(wanted, known)] };
}

const EXAMPLE = '--list "GET /projects/{projectId}/timesheets"';

/** The finding that a variable has no value. */
export function openProblem({ variable, sources }: OpenVariable, list: string): Diagnostic {
  const named = sources.map((source) => {
    if (source.kind === "setting") return `--setting ${source.name}`;
    const siblings = sources.filter((other) => ownerOf(other) === ownerOf(source));
    return `--parent ${siblings.length === 1 ? source.object : propertyName(source)}`;
  });
  const none = "write the value itself into the path, or make the object or the setting that has it first.";
  const known =
    named.length === 0
      ? `No other object of the module has a reader, and there is no setting: ${none}`
      : `Name what has it: ${[...new Set(named)].join(", ")}; or write the value itself into the path.`;
  return diagnostic("scaffold-variable-open", {}, { variable, list, known });
}

/** A source in words, for a person who chooses one. */
export function sourceText(source: VariableSource): string {
  return source.kind === "parent" ? `${source.property} of each ${source.object}` : `setting ${source.name}`;
}

const REQUEST = /^(?:(GET|POST) +)?\/?([^\s?#]+)(?:\?([^\s#]*))?$/;

/** The call that `text` says, or what is wrong with it: the end of a sentence. */
function readRequest(text: string): ListRequest | string {
  const [, method = "GET", path = "", query = ""] = REQUEST.exec(text.trim()) ?? [];
  if (path === "") return "it is no method and path";
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path) || path.startsWith("/"))
    return "it has an address, which is the connection's";
  const fixed = path.replace(/\{[^\s{}/]+\}/g, "");
  if (/[{}]/.test(fixed)) return "its braces hold no name";
  return {
    list: `${method} /${path}`,
    query: [...new URLSearchParams(query)],
    variables: [...new Set(variablesIn(path))],
  };
}

interface KnownSource {
  readonly source: VariableSource;
  /** Whether its parent has no other property that identifies a record; true of settings. */
  readonly isMain: boolean;
  /** Names that a variable of its value has, by their letters. */
  readonly names: readonly string[];
  /** The part of a path that the value follows. */
  readonly follows?: string;
}

/** Values of the module's other objects that have a reader, and settings. */
function knownSources(module: ModuleLayout, { model, files }: ScaffoldSource): readonly KnownSource[] {
  const parents = module.objects.filter((object) => readerOf(object, files) !== undefined);
  const settings = [
    ...propertiesOf(model.registrationConfiguration).map(({ jsonName }) => jsonName),
    ...model.connections.flatMap(({ attributes }) =>
      attributes.filter(({ isSensitive }) => !isSensitive).map(({ key }) => key),
    ),
  ];
  return [
    ...parents.flatMap(parentSources),
    ...[...new Set(settings)].map((name) => ({
      source: { kind: "setting", name } as const,
      isMain: true,
      names: [lettersOf(name)],
    })),
  ];
}

function parentSources({ model }: DataObjectLayout): readonly KnownSource[] {
  const keys = keyProperties(model);
  return propertiesOf(model.schema)
    .filter(isPathPart)
    .map((property) => {
      const { name, jsonName } = property;
      const isMain = keys.length === 1 && keys[0] === property;
      const owners = [model.name, nounOf(model.name)];
      return {
        source: { kind: "parent", object: model.name, property: jsonName },
        isMain,
        names: [
          ...owners.flatMap((owner) => [name, jsonName].map((own) => lettersOf(`${owner}${own}`))),
          ...(isMain ? owners.map(lettersOf) : []),
          // `id` alone may be anything's.
          ...(lettersOf(name).length > 2 ? [lettersOf(name)] : []),
        ],
        ...(isMain && { follows: listPath(urlPartOf(model.name)) }),
      };
    });
}

/**
 * A variable takes its value from what is called as it is. What was named for no variable by its name is for the one that is
 * left over.
 */
function valuesOf(
  { list, variables }: ListRequest,
  wanted: WantedList,
  known: readonly KnownSource[],
): Pick<PlannedList, "sources" | "open"> {
  const isGiven = wanted.parents !== undefined || wanted.settings !== undefined;
  const allowed = isGiven ? known.filter(({ source }) => isNamed(source, wanted)) : known;
  const sources = new Map(wanted.variables);
  const open: OpenVariable[] = [];
  const uncalled: string[] = [];
  for (const variable of variables.filter((name) => !sources.has(name))) {
    const called = allowed.filter((one) => isCalledAs(one, variable, list)).map(({ source }) => source);
    const [first, another] = called;
    if (first === undefined) uncalled.push(variable);
    else if (another === undefined) sources.set(variable, first);
    else open.push({ variable, sources: called });
  }
  const left = leftOver(allowed, [...sources.values()], wanted);
  const [only, another] = isGiven && uncalled.length === 1 ? left : [];
  for (const variable of uncalled) {
    if (only !== undefined && another === undefined) sources.set(variable, only);
    else open.push({ variable, sources: left });
  }
  return { sources, open };
}

/** What no variable has taken: keys of one property, settings, and what was named; if there is none of these, the rest. */
function leftOver(
  allowed: readonly KnownSource[],
  taken: readonly VariableSource[],
  { parents = [] }: WantedList,
): readonly VariableSource[] {
  const owners = new Set(taken.map(ownerOf));
  const unused = allowed.filter(({ source }) => !owners.has(ownerOf(source)));
  const main = unused.filter(({ isMain, source }) => isMain || parents.includes(propertyName(source)));
  return (main.length > 0 ? main : unused).map(({ source }) => source);
}

function isCalledAs({ names, follows }: KnownSource, variable: string, list: string): boolean {
  if (names.includes(lettersOf(variable))) return true;
  return follows !== undefined && list.toLowerCase().includes(`/${follows}/{${variable.toLowerCase()}}`);
}

/** `Project.number`; nothing for a setting. */
function propertyName(source: VariableSource): string {
  return source.kind === "parent" ? `${source.object}.${source.property}` : "";
}

function ownerOf(source: VariableSource): string {
  return source.kind === "parent" ? `parent ${source.object}` : `setting ${source.name}`;
}

function isNamed(source: VariableSource, { parents = [], settings = [] }: WantedList): boolean {
  if (source.kind === "parent")
    return parents.includes(source.object) || parents.includes(propertyName(source));
  return settings.some((name) => isSetting(source.name, name));
}

/** Settings are called in code and in JSON as one convention or another has it. */
function isSetting(name: string, given: string): boolean {
  return lettersOf(name) === lettersOf(given);
}

/** The findings that a parent or a setting that was named is not there. */
function nameProblems(
  { parents = [], settings = [] }: WantedList,
  known: readonly KnownSource[],
): readonly Diagnostic[] {
  const sources = known.map(({ source }) => source);
  const objects = [...new Set(sources.flatMap((one) => (one.kind === "parent" ? [one.object] : [])))];
  const names = sources.flatMap((one) => (one.kind === "setting" ? [one.name] : []));
  return [
    ...parents
      .filter((name) => !objects.includes(name) && !sources.some((one) => propertyName(one) === name))
      .map((name) => unknownProblem("parent", name, objects)),
    ...settings
      .filter((given) => !names.some((name) => isSetting(name, given)))
      .map((given) => unknownProblem("setting", given, names)),
  ];
}

/** The name of the object's reader, declared or in code; undefined if it has none where readers are written. */
export function readerOf(
  { readerFile, declaredReaderName, readerName }: DataObjectLayout,
  files: ScaffoldSource["files"],
): string | undefined {
  return boundIn(files, readerFile, [declaredReaderName, readerName]);
}
