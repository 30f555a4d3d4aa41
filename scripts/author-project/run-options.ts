/** Reads how a project wants its services run: the key `connectorcli.run` of its package.json. */
import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, parseTree } from "jsonc-parser";
import type { VolatileMembers } from "../../runtime/action-processor/cache-changes.js";
import { MAX_CONCURRENCY } from "../../runtime/action-processor/processor-options.js";
import type { ProcessorSettings, SyncSettings } from "../../runtime/host/index.js";
import { findings } from "../../runtime/validation/findings.js";
import { type Diagnostic, diagnostic, placeInText } from "../../schemas/diagnostics/diagnostic.js";
import { pointerSteps } from "../../schemas/json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { didYouMean } from "../../schemas/naming/nearest.js";

/** What holds for every object and every action of the connector. */
export interface RunOptions {
  readonly cacheWriter: Omit<SyncSettings, "volatile">;
  readonly actionProcessor: Omit<ProcessorSettings, "volatile"> & { readonly maxInputBytes?: number };
  /** By data path. */
  readonly volatile: VolatileMembers;
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
  const wrong = (steps: readonly string[], reason: string) =>
    diagnostic("run-options-invalid", placeOf({ text, file, tree }, steps), { reason });
  const diagnostics = findings(RUN_OPTIONS_SCHEMA, given).map(({ instancePath, message }) =>
    wrong(pointerSteps(instancePath), message),
  );
  if (diagnostics.length > 0) return { options: DEFAULTS, diagnostics };
  const { volatile: named = {}, cacheWriter = {}, actionProcessor = {} } = given as WrittenRunOptions;
  const volatile: Record<string, readonly string[]> = {};
  const objects = model.modules.flatMap(({ dataObjects }) => dataObjects);
  for (const [name, members] of Object.entries(named)) {
    const object = objects.find((candidate) => candidate.name === name);
    const classes = objects.map(({ name }) => name);
    if (object !== undefined) volatile[object.dataPath] = members;
    else
      diagnostics.push(
        wrong(["volatile", name], `there is no data object "${name}".${didYouMean(name, classes)}`),
      );
  }
  return { options: { cacheWriter, actionProcessor, volatile }, diagnostics };
}

/** What a value that fits the schema holds. */
type WrittenRunOptions = Partial<Omit<RunOptions, "volatile">> & {
  /** By the name of the data object's class. */
  readonly volatile?: Readonly<Record<string, readonly string[]>>;
};

interface Source {
  readonly text: string;
  readonly file: string;
  readonly tree: Node;
}

/** The place of the nearest member that the text has. */
function placeOf(source: Source, steps: readonly string[]) {
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
    retry: options({
      maxAttempts: positive,
      maxUnknownAttempts: positive,
      firstDelayMs: duration,
      maxDelayMs: duration,
    }),
  }),
  volatile: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
});
