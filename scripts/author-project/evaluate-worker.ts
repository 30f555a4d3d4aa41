/** The thread that loads an author's modules: imports them, builds and checks the model, finds the lines of findings. */

import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { connectorJson, connectorTree } from "../../generators/connector-json.js";
import { checkModel } from "../../schemas/checks/check-model.js";
import { withoutFollowUps } from "../../schemas/checks/follow-ups.js";
import { applySilences } from "../../schemas/checks/silences.js";
import { type Diagnostic, diagnostic, sortDiagnostics } from "../../schemas/diagnostics/diagnostic.js";
import { formatProblems } from "../../schemas/formats/check-format.js";
import { ConnectorJson } from "../../schemas/formats/connector-json.js";
import { toPlain } from "../../schemas/formats/json-tree.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { buildConnectorModel } from "../../schemas/model/from-author/build-connector.js";
import { jsonPointer } from "../../schemas/naming/json-pointer.js";
import type { LoadedProject, WorkerTask } from "./evaluate.js";
import { locate, placeOfError, placesOf } from "./locate.js";

const task = workerData as WorkerTask;

/** Stacks then name the author's files and lines. */
process.setSourceMapsEnabled(true);
parentPort?.postMessage(await loaded());

async function loaded(): Promise<LoadedProject> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await import(pathToFileURL(task.bundleFile).href);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const place = { file: task.entry, ...(error instanceof Error ? placeOfError(error, task) : {}) };
    return { diagnostics: [diagnostic("project-throws", place, { reason })] };
  }
  const connectors = Object.entries(exported).filter(([, value]) => isConnector(value));
  const [first] = connectors;
  const values = new Set(connectors.map(([, value]) => value));
  if (first === undefined)
    return { diagnostics: [diagnostic("project-exports-nothing", { file: task.entry }, {})] };
  if (values.size > 1) {
    const names = connectors.map(([name]) => name).join(", ");
    return {
      diagnostics: [
        diagnostic("project-exports-several", { file: task.entry }, { count: values.size, names }),
      ],
    };
  }
  const { model, diagnostics, origins, silences } = buildConnectorModel(first[1]);
  const checked = withoutFollowUps(diagnostics, checkModel(model));
  const all = [...diagnostics, ...checked, ...formatFindings(model)];
  const { findings, silenced } = applySilences(all, silences);
  return {
    model,
    connectorJson: connectorJson(model),
    diagnostics: sortDiagnostics(await locate(findings, origins, task)),
    silenced: await locate(silenced, origins, task),
    ...(task.withOrigins && { origins: placesOf(origins, task) }),
  };
}

/** Every extract is held to the format's own schema. */
function formatFindings(model: ConnectorModel): readonly Diagnostic[] {
  return formatProblems(ConnectorJson, toPlain(connectorTree(model))).map(({ steps, problem }) =>
    diagnostic("format-mismatch", { pointer: jsonPointer(steps) }, { problem }),
  );
}

function isConnector(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "kind") === "connector";
}
