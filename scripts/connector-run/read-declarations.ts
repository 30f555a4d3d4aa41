/** What the readers and handlers of a project declare. A process of its own loads them, as it does to run them. */
import { createRedaction } from "../../runtime/log/redaction.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { DeclaredService } from "./declared-services.js";
import { isGeneratedStale, prepareConnector } from "./prepare-connector.js";
import { failureFinding, runConnector } from "./run-connector.js";

/** What was declared, or why that could not be read. */
export type ReadDeclarations =
  | { readonly services: readonly DeclaredService[] }
  | {
      readonly services?: undefined;
      /** Whether `npx connectorcli gen` comes first: what stands in the way may be gone then. */
      readonly isStale: boolean;
      readonly diagnostics: readonly Diagnostic[];
    };

const LOAD_SECONDS = 30;

/** What is declared in the project in `root`; undefined if it has no registration yet. */
export async function readDeclarations(
  root: string,
  model: ConnectorModel,
  timeoutSeconds: number = LOAD_SECONDS,
): Promise<ReadDeclarations | undefined> {
  const unread = (diagnostics: readonly Diagnostic[]) => ({
    isStale: isGeneratedStale(root, model),
    diagnostics,
  });
  const prepared = await prepareConnector(root, model);
  if (prepared.code === undefined) {
    const isBegun = prepared.diagnostics.every(({ code }) => code !== "run-registration-missing");
    return isBegun ? unread(prepared.diagnostics) : undefined;
  }
  const { code, entry } = prepared;
  const outcome = await runConnector({
    code,
    task: { kind: "readDeclarations", folder: root, entry },
    timeLimitMs: timeoutSeconds * 1_000,
  });
  if (outcome.kind !== "result")
    return unread([failureFinding(outcome, { root, entry, redact: createRedaction().wholeText })]);
  return { services: outcome.task === "readDeclarations" ? outcome.result : [] };
}
