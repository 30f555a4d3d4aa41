/** The thread that loads an author's modules: imports them, builds and checks the model, finds the lines of findings. */

import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import { connectorJson } from "../../generators/connector-json.js";
import { checkModel } from "../../schemas/checks/check-model.js";
import { withoutFollowUps } from "../../schemas/checks/follow-ups.js";
import { applySilences } from "../../schemas/checks/silences.js";
import {
  type Diagnostic,
  diagnostic,
  hasErrors,
  sortDiagnostics,
} from "../../schemas/diagnostics/diagnostic.js";
import { formatProblems } from "../../schemas/formats/check-format.js";
import { ConnectorJson } from "../../schemas/formats/connector-json.js";
import { buildConnectorModel } from "../../schemas/model/from-author/build-connector.js";
import { jsonPointer } from "../../schemas/naming/json-pointer.js";
import type { ThreadMessage, WorkerTask } from "./evaluator.js";
import type { ProjectTexts } from "./loaded-project.js";
import { locate, placeOfError, placesOf } from "./locate.js";

const tell = (message: ThreadMessage) => parentPort?.postMessage(message);
const task = await new Promise<WorkerTask>((resolve) => parentPort?.once("message", resolve));
tell({ project: await loaded(task) });

async function loaded(task: WorkerTask): Promise<ProjectTexts> {
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
  const modelJson = JSON.stringify(model);
  // The model goes ahead: who generates from it need not wait for the checks.
  if (!hasErrors(diagnostics)) tell({ modelJson });
  const checked = withoutFollowUps(diagnostics, checkModel(model));
  const text = connectorJson(model);
  const all = [...diagnostics, ...checked, ...formatFindings(text)];
  const { findings, silenced } = applySilences(all, silences);
  return {
    modelJson,
    connectorJson: text,
    diagnostics: sortDiagnostics(await locate(findings, origins, task)),
    silenced: await locate(silenced, origins, task),
    ...(task.located === "definitions" && { origins: placesOf(origins, task) }),
  };
}

/** Every extract is held to the format's own schema. */
function formatFindings(text: string): readonly Diagnostic[] {
  return formatProblems(ConnectorJson, JSON.parse(text)).map(({ steps, problem }) =>
    diagnostic("format-mismatch", { pointer: jsonPointer(steps) }, { problem }),
  );
}

function isConnector(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "kind") === "connector";
}
