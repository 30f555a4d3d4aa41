/** The thread that loads an author's modules: imports them, builds and checks the model, finds the lines of findings. */

import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import { connectorTree } from "../../generators/connector-json.js";
import { collectDefinitions, definedAt } from "../../schemas/authoring/definition.js";
import { applySilences, checkModel, withoutFollowUps } from "../../schemas/checks/engine.js";
import {
  type Diagnostic,
  diagnostic,
  hasErrors,
  sortDiagnostics,
} from "../../schemas/diagnostics/diagnostic.js";
import { jsonText } from "../../schemas/formats/json-text.js";
import { type JsonTree, jsonPointer, toPlain } from "../../schemas/json.js";
import type { UnlistedDefinition } from "../../schemas/model/from-author/author-definitions.js";
import { buildConnectorModel } from "../../schemas/model/from-author/build-connector.js";
import { readTextIfExists } from "../system/read-text.js";
import type { EvaluatedProject, ThreadMessage, WorkerTask } from "./evaluator.js";
import type { CodePlace } from "./loaded-project.js";
import { locate, placeOfError, placeOfThrow, placesOf } from "./locate.js";

// An overflow deep inside a package is only found if its stack goes down to the author's call.
Error.stackTraceLimit = Number.POSITIVE_INFINITY;

const post = (message: ThreadMessage) => parentPort?.postMessage(message);
const task = await new Promise<WorkerTask>((resolve) => parentPort?.once("message", resolve));
// Without a listener, what goes wrong unheard ends the thread: whether before or after the model is a matter of luck.
let unheard: { readonly error: unknown } | undefined;
for (const event of ["unhandledRejection", "uncaughtException"] as const) {
  process.on(event, (error: unknown) => {
    unheard ??= { error };
  });
}
try {
  post({ kind: "project", project: await evaluate(task) });
} catch (error) {
  post({ kind: "project", project: { diagnostics: [throwFinding(error, task)] } });
}

async function evaluate(task: WorkerTask): Promise<EvaluatedProject> {
  let exported: Readonly<Record<string, unknown>>;
  const definitions = collectDefinitions();
  try {
    exported = await import(pathToFileURL(task.bundleFile).href);
  } catch (error) {
    return { diagnostics: [throwFinding(error, task)] };
  }
  // A rejection that nobody handles is known when all that waited has run; what happens later is no part of loading.
  await setImmediate();
  if (unheard !== undefined) return { diagnostics: [throwFinding(unheard.error, task)] };
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
  const { model, diagnostics, origins, silences, unlisted } = buildConnectorModel(first[1], definitions);
  // The model is sent first: whoever generates from it need not wait for the checks.
  post({ kind: "model", model, isSound: !hasErrors(diagnostics) });
  const checked = withoutFollowUps(diagnostics, checkModel(model));
  const tree = connectorTree(model);
  const known = [...diagnostics, ...checked];
  // What a rule found needs no second finding that the format has no such thing either.
  const all = hasErrors(known) ? known : [...known, ...(await formatFindings(tree))];
  const { findings, silenced } = applySilences(all, silences);
  const left = unlisted.flatMap((definition) => placedInProject(definition, task));
  return {
    connectorJson: jsonText(tree),
    diagnostics: sortDiagnostics([
      ...(await locate(findings, origins, task)),
      ...left.filter((finding) => finding.silenced === undefined),
    ]),
    silenced: [
      ...(await locate(silenced, origins, task)),
      ...left.filter((finding) => finding.silenced !== undefined),
    ],
    ...(task.located === "definitions" && { origins: placesOf(origins, task) }),
  };
}

function throwFinding(error: unknown, task: WorkerTask): Diagnostic {
  const found = error instanceof Error ? placeOfThrow(error, task) : undefined;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const reason = found === undefined ? text : withWrittenNames(text, found);
  return diagnostic("project-throws", { file: task.entry, ...found }, { reason });
}

/** The bundler numbers names that several modules have: `Type6.Strin` stands as `Type.Strin` in the author's line. */
function withWrittenNames(reason: string, { file, line }: CodePlace): string {
  const written = readTextIfExists(file)?.split(/\r?\n/)[line - 1] ?? "";
  return reason.replace(/\b([A-Za-z_$][\w$]*?)\d+(?=\.)/g, (name, stem: string) =>
    written.includes(`${name}.`) || !written.includes(`${stem}.`) ? name : stem,
  );
}

/** The finding at the line of the definition; none for what a package of others defines. */
function placedInProject(
  { definition, finding }: UnlistedDefinition,
  task: WorkerTask,
): readonly Diagnostic[] {
  const call = definedAt(definition);
  const place = call && placeOfError(call, task);
  if (place === undefined || /[\\/]node_modules[\\/]/.test(place.file)) return [];
  return [{ ...finding, ...place }];
}

/** Every extract is held to the format's own schema. What does that is loaded while the model is on its way. */
async function formatFindings(tree: JsonTree): Promise<readonly Diagnostic[]> {
  const [{ formatProblems }, { ConnectorJson }] = await Promise.all([
    import("../../schemas/formats/check-format.js"),
    import("../../schemas/formats/connector-json.js"),
  ]);
  return formatProblems(ConnectorJson, toPlain(tree)).map(({ steps, problem }) =>
    diagnostic("format-mismatch", { pointer: jsonPointer(steps) }, { problem }),
  );
}

function isConnector(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "kind") === "connector";
}
