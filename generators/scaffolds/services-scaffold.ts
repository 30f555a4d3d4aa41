/** The services of a module: the author's lists of readers and handlers. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { API_CLIENT_FILE, GENERATED_REGISTRATION_FILE, type ModuleLayout } from "../layout.js";
import { render } from "../render.js";
import { addProperty, hasProperty, importedName, locate, type SourceFiles } from "../source-edits/index.js";
import { byHandOnly, scaffoldFile, specifierIn } from "./scaffold.js";

export function servicesScaffold(names: ModuleLayout) {
  const view = {
    identifier: names.identifier,
    services: names.servicesName,
    client: specifierIn(names.servicesFile, API_CLIENT_FILE),
    registration: specifierIn(names.servicesFile, GENERATED_REGISTRATION_FILE),
  };
  return scaffoldFile(names.servicesFile, render("module-services.ts", view));
}

export interface NewService {
  readonly list: "readers" | "handlers";
  readonly key: string;
  readonly name: string;
  readonly file: string;
}

/** Adds a reader or handler to its module's services, and makes the services if they are missing. */
export function registerService(
  files: SourceFiles,
  names: ModuleLayout,
  service: NewService,
): readonly Diagnostic[] {
  const file = names.servicesFile;
  if (files.text(file) === undefined) files.set(file, servicesScaffold(names).content);
  const place = { start: { file, constant: names.servicesName }, steps: [service.list] };
  return byHandOnly([
    addProperty(files, place, service.key, importedName(service.name, { file: service.file })),
  ]);
}

/** Whether the module's services have the reader or handler. */
export function hasService(files: SourceFiles, names: ModuleLayout, { list, key }: NewService): boolean {
  const start = { file: names.servicesFile, constant: names.servicesName };
  const { spot } = locate(files, start, [list]);
  return spot !== undefined && hasProperty(files, spot, key);
}
