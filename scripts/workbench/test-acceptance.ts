/** Tries the connector of a project against a fake target system at which everything goes wrong. */
import path from "node:path";
import { REGISTRATION_FILE } from "../../generators/layout.js";
import type { AcceptanceTried } from "../../runtime/entries/testing.js";
import { ACCEPTANCE_SCENARIOS, LIVE_SCENARIOS } from "../../runtime/testing/acceptance/scenario-names.js";
import { type Diagnostic, diagnostic, sortDiagnostics } from "../../schemas/diagnostics/diagnostic.js";
import { isOfProduction } from "../../schemas/model/connection-members.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { prepareConnector } from "../connector-run/prepare-connector.js";
import { failureFinding, runConnector } from "../connector-run/run-connector.js";
import type {
  AcceptanceReport,
  AcceptanceTask,
  PlacedAcceptanceFinding,
  PlacedAcceptanceTrying,
} from "../connector-run/run-protocol.js";
import type { Environment } from "../test-settings/filled-values.js";
import { runSettings } from "../test-settings/read-settings.js";
import { chosenObjects, UnknownNameError } from "./choices.js";
import { NOTHING_CHANGED } from "./fake-settings.js";
import { BUSY_SECONDS, runLoaded } from "./services.js";

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
  /** Whether of more than 50 data objects only a sample is tried with every scenario. @default that of runAcceptance: true */
  readonly isSampled?: boolean | undefined;
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

/** What is tried at the real target system. */
export interface TestLiveAcceptanceOptions extends Omit<TestAcceptanceOptions, "busySeconds"> {
  /** The definition key of the connection. @default the active one of the test settings */
  readonly connection?: string | undefined;
  /** Whether the connection may lead to the production system. @default false */
  readonly allowsProduction?: boolean | undefined;
  /** Whether calls of the target system are told as lines, without secrets. @default false */
  readonly isTraced?: boolean | undefined;
}

/** The connection leads to the production system, and nobody has said that it may. */
export class ProductionError extends Error {
  override readonly name = "ProductionError";

  constructor(connection: string) {
    super(
      `The connection ${connection} leads to the production system. Nothing is changed there, but its lists are read several times, and it sees one sign-in with wrong credentials. If that may be, say --production.`,
    );
  }
}

/** Seconds that loading the connector may take. */
const LOAD_SECONDS = 30;

/**
 * Tries a connector without credentials. Nothing leaves the machine, and nothing is written in the project.
 * @throws UnknownNameError if there is no such data object or scenario.
 */
export async function testAcceptance(options: TestAcceptanceOptions): Promise<TestAcceptanceResult> {
  const { environment, signal, onEvent = () => {}, timeoutSeconds = LOAD_SECONDS } = options;
  const { subject, diagnostics } = await loadedSubject(options, ACCEPTANCE_SCENARIOS);
  if (subject === undefined) return { diagnostics };
  const { root, model, objects } = subject;
  const prepared = await prepareConnector(root, model, { withFake: true });
  if (prepared.code === undefined) return { diagnostics: prepared.diagnostics };
  if (prepared.isStale) onEvent({ kind: "generated-stale" });
  const { code, entry } = prepared;
  const { scenarios, seed, records, isSampled } = options;
  const task: Omit<AcceptanceTask, "bundleFile"> = {
    ...{ kind: "testAcceptance", folder: root, entry },
    options: { objects, scenarios, seed, records, isSampled },
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
  return resultOf(outcome.result, entry);
}

/**
 * Tries the readers and the connection test at the real target system of the test settings. It is only read there, no action
 * is performed, and nothing is written in the project but connection properties that change, such as a refresh token.
 * @throws UnknownNameError if there is no such data object, or no such scenario that only reads; ProductionError if the
 * connection leads to the production system, and the options do not allow that.
 */
export async function testLiveAcceptance(options: TestLiveAcceptanceOptions): Promise<TestAcceptanceResult> {
  const { connection: key, environment, scenarios, seed, records, onEvent = () => {} } = options;
  const { subject, diagnostics } = await loadedSubject(options, LIVE_SCENARIOS);
  if (subject === undefined) return { diagnostics };
  const { root, model, objects } = subject;
  const { settings, ...wrongSettings } = runSettings({ model, root, key, environment });
  if (settings === undefined) return wrongSettings;
  const { definition, properties } = settings.connection;
  if (isOfProduction(properties) && options.allowsProduction !== true)
    throw new ProductionError(definition.key);
  const { object: _, onEvent: __, ...given } = options;
  const ended = await runLoaded(
    {
      ...given,
      onEvent: (event) => {
        if (event.kind === "generated-stale" || event.kind === "line" || event.kind === "tried")
          onEvent(event);
      },
    },
    {
      model,
      part: { kind: "testLive", tried: { objects, scenarios, seed, records } },
      prepare: () => prepareConnector(root, model, { withFake: true }),
    },
  );
  if (ended.result?.task !== "testLive") return { diagnostics: ended.diagnostics };
  const found = resultOf(ended.result.result, path.join(root, REGISTRATION_FILE));
  return { ...found, diagnostics: [...found.diagnostics, ...ended.diagnostics] };
}

function resultOf({ findings, notes, tried, seed }: AcceptanceReport, entry: string): TestAcceptanceResult {
  const found = sortDiagnostics([
    ...findings.map((finding) => findingOf(finding, entry)),
    ...notes.map((note) => diagnostic("acceptance-not-tried", { file: entry }, { found: note })),
  ]);
  return { tried, seed, diagnostics: found };
}

/**
 * The project, and the names of the data objects that are tried: undefined for all. No subject where the project can't be
 * loaded, as the diagnostics say.
 */
async function loadedSubject(options: TestAcceptanceOptions, scenarios: object) {
  const known = Object.keys(scenarios);
  const unknown = options.scenarios?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UnknownNameError("scenario", unknown, known);
  const { model, diagnostics } = await loadProject(options);
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const { folder, object } = options;
  const objects = object === undefined ? undefined : chosenObjects(model, { object }).map(({ name }) => name);
  return { subject: { root: path.resolve(folder), model, objects }, diagnostics: [] };
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
