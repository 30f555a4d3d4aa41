/** Tries the connector of a project against a fake target system at which everything goes wrong. */
import path from "node:path";
import type { AcceptanceTried } from "../../runtime/entries/testing.js";
import { ACCEPTANCE_SCENARIOS } from "../../runtime/testing/acceptance/scenario-names.js";
import { type Diagnostic, diagnostic, sortDiagnostics } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { prepareConnector } from "../connector-run/prepare-connector.js";
import { failureFinding, runConnector } from "../connector-run/run-connector.js";
import type {
  AcceptanceTask,
  PlacedAcceptanceFinding,
  PlacedAcceptanceTrying,
} from "../connector-run/run-protocol.js";
import type { Environment } from "../test-settings/filled-values.js";
import { chosenObjects, UnknownNameError } from "./choices.js";
import { NOTHING_CHANGED } from "./fake-settings.js";

/** What the acceptance suite says while it runs. */
export type AcceptanceEvent =
  /** `generated/` is not what the schema modules give: what is tried may be of older schemas. */
  | { readonly kind: "generated-stale" }
  /** A scenario was tried on a part of the connector. */
  | {
      readonly kind: "tried";
      /** Which one on which part, and whether nothing was found. */
      readonly tried: AcceptanceTried;
    }
  /** A line that the connector printed. */
  | {
      readonly kind: "line";
      /** The line, without its end. */
      readonly text: string;
    };

/** What is tried. */
export interface TestAcceptanceOptions extends ProjectOptions {
  /** Only this data object and its actions, by its part of the address, its class or its data path. @default all */
  readonly object?: string | undefined;
  /** Names of the only scenarios. @default all */
  readonly scenarios?: readonly string[] | undefined;
  /** The same seed tries the same. @default that of runAcceptance: 1 */
  readonly seed?: number | undefined;
  /** The most records of the data object that is tried. @default that of runAcceptance: 12 */
  readonly records?: number | undefined;
  /**
   * Seconds that the connector may keep its whole process busy; it is ended then, and that is a finding.
   * @default 30
   */
  readonly busySeconds?: number | undefined;
  /** Variables for the process that runs the connector, such as `process.env`. */
  readonly environment: Environment;
  /** Ends it; what was not tried yet is left out. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every event, in order. */
  readonly onEvent?: ((event: AcceptanceEvent) => void) | undefined;
}

/** What the acceptance suite has found. */
export interface TestAcceptanceResult {
  /** Everything that was tried; absent if nothing was, and the diagnostics say why. */
  readonly tried?: readonly AcceptanceTried[];
  /** The seed, which repeats the run; absent if nothing was tried. */
  readonly seed?: number;
  /** What was found, at the reader, the handler or the connection test; notes say what could not be tried. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Seconds that loading the connector may take. */
const LOAD_SECONDS = 30;
const BUSY_SECONDS = 30;

/**
 * Tries a connector without credentials. Nothing leaves the machine, and nothing is written in the project.
 * @throws UnknownNameError if there is no such data object or scenario.
 */
export async function testAcceptance(options: TestAcceptanceOptions): Promise<TestAcceptanceResult> {
  const { environment, signal, onEvent = () => {}, timeoutSeconds = LOAD_SECONDS } = options;
  for (const name of options.scenarios ?? []) checkScenario(name);
  const root = path.resolve(options.folder);
  const { model, diagnostics } = await loadProject(options);
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const objects =
    options.object === undefined
      ? undefined
      : chosenObjects(model, { object: options.object }).map(({ name }) => name);
  const prepared = await prepareConnector(root, model, { withFake: true });
  if (prepared.code === undefined) return { diagnostics: prepared.diagnostics };
  if (prepared.isStale) onEvent({ kind: "generated-stale" });
  const { code, entry } = prepared;
  const { scenarios, seed, records } = options;
  const task: Omit<AcceptanceTask, "bundleFile"> = {
    ...{ kind: "testAcceptance", folder: root, entry },
    options: { objects, scenarios, seed, records },
  };
  let trying: PlacedAcceptanceTrying | undefined;
  const outcome = await runConnector({
    ...{ code, task, environment, signal },
    timeLimitMs: timeoutSeconds * 1_000,
    quietLimitMs: (options.busySeconds ?? BUSY_SECONDS) * 1_000,
    lockProperties: async () => NOTHING_CHANGED,
    onLine: (text) => onEvent({ kind: "line", text }),
    onMessage: (message) => {
      if (message.kind === "trying") trying = message.trying;
      if (message.kind === "tried") onEvent(message);
    },
  });
  if (outcome.kind === "hangs" && trying !== undefined && signal?.aborted !== true)
    return { diagnostics: [blockedFinding(trying, outcome.seconds, entry)] };
  if (outcome.kind !== "result")
    return { diagnostics: [failureFinding(outcome, { root, entry, redact: (text) => text })] };
  if (outcome.task !== "testAcceptance") throw new Error("another task was run");
  const { findings, notes, tried, seed: used } = outcome.result;
  const found = sortDiagnostics([
    ...findings.map((finding) => findingOf(finding, entry)),
    ...notes.map((note) => diagnostic("acceptance-not-tried", { file: entry }, { found: note })),
  ]);
  return { tried, seed: used, diagnostics: found };
}

function checkScenario(name: string): void {
  const known = Object.keys(ACCEPTANCE_SCENARIOS);
  if (!known.includes(name)) throw new UnknownNameError("scenario", name, known);
}

/** A loop in the connector from which nothing comes back to the process: nothing else can be tried any more. */
function blockedFinding(
  { scenario, object, action, place }: PlacedAcceptanceTrying,
  seconds: number,
  entry: string,
): Diagnostic {
  const subject = [action, object].filter((part) => part !== undefined).join(" of ");
  return diagnostic("acceptance-endless", place ?? { file: entry }, {
    found: `${subject === "" ? "The connection test" : subject}: it keeps the whole process busy for ${seconds} seconds, and does not end.`,
    seen: `Seen by scenario ${scenario}; the suite ends here.`,
  });
}

function findingOf({ code, message, seen, place }: PlacedAcceptanceFinding, entry: string): Diagnostic {
  return diagnostic(code, place ?? { file: entry }, { found: message, seen });
}
