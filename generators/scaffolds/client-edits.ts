/** The lines that a connection adds to what is there: to the connector's list, and to the client helper. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import {
  addProperty,
  appendElement,
  type Edit,
  imported,
  locate,
  type SourceFiles,
} from "../source-edits/index.js";
import { CLIENT_HELPER_FILE, type ClientNames } from "./client-files.js";
import { problemsOf, rootModule } from "./scaffold.js";

/** Edits `files` for the connection; findings say what has to be written by hand. */
export function editForClient(files: SourceFiles, names: ClientNames): readonly Diagnostic[] {
  const listing = names.definition === undefined ? [listed(files, names)] : [];
  return problemsOf([...listing, ...helped(files, names)]);
}

function listed(files: SourceFiles, { className, definitionFile }: ClientNames): Edit {
  const place = { start: { file: rootModule(files), call: "defineConnector" }, steps: [0, "connections"] };
  return appendElement(files, place, imported(className, { file: definitionFile }));
}

/** A helper that is not there yet is written whole. */
function helped(files: SourceFiles, names: ClientNames): readonly Edit[] {
  if (files.text(CLIENT_HELPER_FILE) === undefined) return [];
  const start = { file: CLIENT_HELPER_FILE, call: "createClientHelper" };
  const steps = [0, "definitions"];
  if (locate(files, start, [...steps, names.key]).spot !== undefined) return [];
  const imports = [
    { name: "servicesOf", from: { package: "connectorcli/client" } },
    { name: names.className, from: { file: names.generatedFile } },
    { name: names.handler, from: { file: names.handlerFile } },
  ];
  const code = (services = "", type = "", handler = "") => `${services}(${type}, ${handler})`;
  return [addProperty(files, { start, steps }, names.key, { imports, code })];
}
