/** Runs a fake target system that is made of a project's connector. */
import path from "node:path";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { prepareConnector, type ReadyConnector } from "../connector-run/prepare-connector.js";
import { failureFinding, runConnector } from "../connector-run/run-connector.js";
import type { FakeFacts, FakeTask } from "../connector-run/run-protocol.js";
import type { Environment } from "../test-settings/filled-values.js";
import { NOTHING_CHANGED } from "./fake-settings.js";

/** What a fake target system says while it runs. */
export type FakeEvent =
  /** `generated/` is not what the schema modules give: what is answered may be of older schemas. */
  | { readonly kind: "generated-stale" }
  /** It answers. */
  | {
      readonly kind: "faked";
      /** Where it is, whom it lets in, and what it answers. */
      readonly fake: FakeFacts;
    }
  /** A line that the connector printed, or a request that came. */
  | {
      readonly kind: "line";
      /** The line, without its end. */
      readonly text: string;
    };

/** Which fake target system to run. */
export interface StartFakeOptions extends ProjectOptions {
  /** What it is made with, beside what `fake.ts` of the project says. */
  readonly fake?: FakeTask["options"] | undefined;
  /** Whether every request is told as a line. @default false */
  readonly isTraced?: boolean | undefined;
  /** Variables for the process that runs it, such as `process.env`. */
  readonly environment: Environment;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every event, in order. */
  readonly onEvent?: ((event: FakeEvent) => void) | undefined;
}

/** How a fake target system ended. */
export interface StartFakeResult {
  /** Why it did not run; empty if it ran until it was told to end. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Seconds that loading the connector may take. */
const LOAD_SECONDS = 30;

/** Runs a fake target system until `signal` is aborted. Nothing is written. */
export async function startFake(options: StartFakeOptions): Promise<StartFakeResult> {
  const { onEvent = () => {} } = options;
  const root = path.resolve(options.folder);
  const { model, diagnostics } = await loadProject(options);
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const prepared = await prepareConnector(root, model, { withFake: true });
  if (prepared.code === undefined) return { diagnostics: prepared.diagnostics };
  if (prepared.isStale) onEvent({ kind: "generated-stale" });
  return runFake(prepared, options);
}

/** The same of a connector that is prepared, with its `fake.ts`. */
export async function runFake(
  { code, entry }: Pick<ReadyConnector, "code" | "entry">,
  options: StartFakeOptions,
): Promise<StartFakeResult> {
  const { fake = {}, isTraced = false, environment, signal, onEvent = () => {} } = options;
  const { timeoutSeconds = LOAD_SECONDS } = options;
  const root = path.resolve(options.folder);
  const outcome = await runConnector({
    code,
    task: { kind: "startFake", folder: root, entry, options: fake, isTraced },
    environment,
    timeLimitMs: timeoutSeconds * 1_000,
    signal,
    lockProperties: async () => NOTHING_CHANGED,
    onLine: (text) => onEvent({ kind: "line", text }),
    onMessage: (message) => {
      if (message.kind === "faked") onEvent(message);
      if (message.kind === "trace") onEvent({ kind: "line", text: message.text });
    },
  });
  if (outcome.kind === "result") return { diagnostics: [] };
  return { diagnostics: [failureFinding(outcome, { root, entry, redact: (text) => text })] };
}
