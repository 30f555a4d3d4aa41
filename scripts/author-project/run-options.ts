/** Reads how a project wants its services run: the key `connectorcli.run` of its package.json. */
import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, parseTree } from "jsonc-parser";
import type { VolatileMembers } from "../../runtime/action-processor/cache-changes.js";
import { type ActionPolicy, MAX_CONCURRENCY } from "../../runtime/action-processor/processor-options.js";
import type { ProcessorSettings, RunSettings, SyncSettings } from "../../runtime/host/index.js";
import { findings } from "../../runtime/validation/findings.js";
import { type Diagnostic, diagnostic, placeInText } from "../../schemas/diagnostics/diagnostic.js";
import { pointerSteps } from "../../schemas/json.js";
import type { ConnectorModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import { keywordOf } from "../../schemas/model/schema-model.js";
import { propertiesOf } from "../../schemas/model/switches.js";
import { didYouMean, nearestName } from "../../schemas/naming/nearest.js";

/** What holds for the objects and the actions of the connector. */
export interface RunOptions {
  readonly cacheWriter: Omit<SyncSettings, "volatile">;
  readonly actionProcessor: Omit<ProcessorSettings, "volatile"> & { readonly maxInputBytes?: number };
  /** By data path. */
  readonly volatile: VolatileMembers;
}

/** The same for whoever runs the connector. */
export function runSettingsOf({ cacheWriter, actionProcessor, volatile }: RunOptions): RunSettings {
  const { maxInputBytes, ...processor } = actionProcessor;
  const settings = Object.fromEntries(
    Object.entries(volatile).map(([dataPath, members]) => [dataPath, { volatile: members }]),
  );
  return {
    cacheWriter: { ...cacheWriter, settings },
    actionProcessor: { ...processor, volatile },
    ...(maxInputBytes !== undefined && { maxInputBytes }),
  };
}

export interface ReadRunOptions {
  readonly options: RunOptions;
  /** What is wrong; the options are then the defaults. */
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULTS: RunOptions = { cacheWriter: {}, actionProcessor: {}, volatile: {} };
const PLACE: JSONPath = ["connectorcli", "run"];

/** What the package.json `text` says of the services of `model`. */
export function readRunOptions(text: string, file: string, model: ConnectorModel): ReadRunOptions {
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, PLACE);
  if (tree === undefined || node === undefined) return { options: DEFAULTS, diagnostics: [] };
  const given: unknown = getNodeValue(node);
  const wrong = (steps: readonly (string | number)[], reason: string) =>
    diagnostic("run-options-invalid", placeOf({ text, file, tree }, steps), { reason });
  const diagnostics = findings(RUN_OPTIONS_SCHEMA, given).map(({ instancePath, message }) =>
    wrong(pointerSteps(instancePath), message),
  );
  if (diagnostics.length > 0) return { options: DEFAULTS, diagnostics };
  const { volatile = {}, cacheWriter = {}, actionProcessor = {} } = given as WrittenRunOptions;
  const { actions, ...processor } = actionProcessor;
  const { unknown, byDataPath, byAddress } = namedParts(model);
  const policies = actions && { actions: byAddress(actions, ["actionProcessor", "actions"]) };
  const options = {
    cacheWriter,
    actionProcessor: { ...processor, ...policies },
    volatile: byDataPath(volatile, ["volatile"]),
  };
  const problems = [...unknown, ...volatileProblems(model, volatile)];
  return { options, diagnostics: problems.map(({ steps, reason }) => wrong(steps, reason)) };
}

/** What a value that fits the schema holds: by the name of the data object's class, and by that of the action's. */
interface WrittenRunOptions extends Partial<Pick<RunOptions, "cacheWriter">> {
  readonly actionProcessor?: Omit<RunOptions["actionProcessor"], "actions"> & {
    readonly actions?: ByName<ByName<ActionPolicy>>;
  };
  readonly volatile?: ByName<readonly string[]>;
}

type ByName<Value> = Readonly<Record<string, Value>>;

/** What is wrong with the members that are said to be volatile. */
function volatileProblems(
  { modules }: ConnectorModel,
  volatile: ByName<readonly string[]>,
): readonly UnknownName[] {
  const objects = modules.flatMap(({ dataObjects }) => dataObjects);
  return Object.entries(volatile).flatMap(([name, members]) => {
    const named = objects.filter((object) => object.name === name);
    return members.flatMap((member, index) => {
      const reasons = named.map((object) => volatileProblem(object, member));
      const [reason] = reasons;
      // A class name may stand in several modules: what is right in one of them is right.
      const isWrong = reason !== undefined && !reasons.includes(undefined);
      return isWrong ? [{ steps: ["volatile", name, index], reason }] : [];
    });
  });
}

function volatileProblem(object: DataObjectModel, member: string): string | undefined {
  const { name, schema, keys } = object;
  const key = keys.find(({ propertyNames }) => propertyNames.includes(member));
  if (key !== undefined)
    return `"${member}" is a part of the key "${key.name}" of "${name}", so a change of it means something`;
  const properties = propertiesOf(schema.root, schema);
  const jsonNames = properties.map(({ jsonName }) => jsonName);
  if (properties.length === 0 || jsonNames.includes(member)) return undefined;
  const isOpen = ["additionalProperties", "patternProperties"].some((keyword) => {
    const value = keywordOf(schema.root, keyword);
    return value !== undefined && value !== false;
  });
  if (isOpen) return undefined;
  const nearest =
    properties.find((property) => property.name === member)?.jsonName ?? nearestName(member, jsonNames);
  const way =
    nearest === undefined
      ? 'declare it, or let unknownMembers: "drop" leave out what is not declared'
      : `the serialized name is "${nearest}"`;
  return `"${name}" declares no member "${member}": ${way}`;
}

interface UnknownName {
  /** Where it stands in the options. */
  readonly steps: readonly (string | number)[];
  readonly reason: string;
}

/** Finds what options are about by its name. A name that several modules have stands for all of them. */
function namedParts({ modules }: ConnectorModel) {
  const unknown: UnknownName[] = [];
  const all = modules.flatMap(({ dataObjects }) => dataObjects);
  const objectsOf = (name: string, steps: readonly string[]): readonly DataObjectModel[] => {
    const found = all.filter((object) => object.name === name);
    const hint = didYouMean(name, namesOf(all));
    if (found.length === 0) unknown.push({ steps, reason: `there is no data object "${name}".${hint}` });
    return found;
  };
  return {
    unknown,
    /** `values` by data path. @param steps The place of `values`. */
    byDataPath: <Value>(values: ByName<Value>, steps: readonly string[]): ByName<Value> => {
      const entries = Object.entries(values).flatMap(([name, value]) =>
        objectsOf(name, [...steps, name]).map(({ dataPath }) => [dataPath, value] as const),
      );
      return Object.fromEntries(entries);
    },
    /** `values` by the address of the action. @param steps The place of `values`. */
    byAddress: <Value>(values: ByName<ByName<Value>>, steps: readonly string[]): ByName<Value> => {
      const entries = Object.entries(values).flatMap(([objectName, own]) => {
        const place = [...steps, objectName];
        const objects = objectsOf(objectName, place);
        const actions = objects.flatMap(({ dataPath, actions }) =>
          actions.map(({ name, urlPart }) => ({ name, address: `${dataPath}/${urlPart}` })),
        );
        return Object.entries(own).flatMap(([name, value]) => {
          const found = actions.filter((action) => action.name === name);
          const reason = `"${objectName}" has no action "${name}".${didYouMean(name, namesOf(actions))}`;
          if (found.length === 0 && objects.length > 0) unknown.push({ steps: [...place, name], reason });
          return found.map(({ address }) => [address, value] as const);
        });
      });
      return Object.fromEntries(entries);
    },
  };
}

function namesOf(parts: readonly { readonly name: string }[]): readonly string[] {
  return parts.map(({ name }) => name);
}

interface Source {
  readonly text: string;
  readonly file: string;
  readonly tree: Node;
}

/** The place of the nearest member that the text has. */
function placeOf(source: Source, steps: readonly (string | number)[]) {
  const { tree } = source;
  const at = [...steps];
  let node = findNodeAtLocation(tree, [...PLACE, ...at]);
  while (node === undefined && at.pop() !== undefined) node = findNodeAtLocation(tree, [...PLACE, ...at]);
  return placeInText(source, node?.offset ?? 0);
}

const count = { type: "integer", minimum: 0 };
const positive = { type: "integer", minimum: 1 };
const share = { type: "number", minimum: 0, maximum: 1 };
/** Milliseconds from now that a date can still be told of: ten years. */
const duration = { type: "integer", minimum: 0, maximum: 315_360_000_000 };
/** Milliseconds that a timer of Node can wait, 24 days. */
const timer = { type: "integer", minimum: 1, maximum: 2_147_483_647 };

function options<Properties extends object>(properties: Properties) {
  return { type: "object", properties, additionalProperties: false };
}

function byName(values: object) {
  return { type: "object", additionalProperties: values };
}

const retry = options({
  maxAttempts: positive,
  maxUnknownAttempts: positive,
  firstDelayMs: duration,
  maxDelayMs: duration,
});

export const RUN_OPTIONS_SCHEMA = options({
  cacheWriter: options({
    pageSize: positive,
    guard: options({ maxShare: share, maxCount: count, alwaysAllowed: count }),
    rejectedLimit: options({ maxCount: count, maxShare: share }),
    resume: { type: "boolean" },
    resumeWithinMs: duration,
  }),
  actionProcessor: options({
    maxInputBytes: positive,
    cancelAfterMs: { ...duration, minimum: 1 },
    concurrency: { ...positive, maximum: MAX_CONCURRENCY },
    leaseMs: timer,
    timeoutMs: timer,
    graceMs: timer,
    retry,
    actions: byName(byName(options({ retry, timeoutMs: timer }))),
  }),
  volatile: byName({ type: "array", items: { type: "string" } }),
});
