/** Readers and handlers of a project that was made without them, such as an imported one: a client needs all of them. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { GeneratedFile } from "../generated-file.js";
import type { ModuleNames, ObjectNames } from "../schema-modules/project-names.js";
import type { SourceFiles } from "../source-edits/index.js";
import { handlerName, handlerScaffold } from "./action-scaffold.js";
import { readerName, readerScaffold, registerService } from "./data-object-scaffold.js";
import { servicesFile, servicesScaffold } from "./module-scaffold.js";
import { namesOfModule } from "./planned-names.js";
import type { Scaffold, ScaffoldSource } from "./scaffold.js";

/** The services of every module that has none; `files` gets their lists, the rest is returned. */
export function missingServices({ model, files }: ScaffoldSource): Scaffold {
  const missing = model.modules
    .map((module) => namesOfModule(model, module))
    .filter((names) => files.text(servicesFile(names)) === undefined);
  const made = missing.map((names) => servicesOf(files, names));
  return {
    files: made.flatMap((one) => one.files),
    diagnostics: made.flatMap(({ diagnostics }) => diagnostics),
  };
}

function servicesOf(files: SourceFiles, names: ModuleNames): Scaffold {
  files.set(servicesFile(names), servicesScaffold(names).content);
  const parts = names.objects.flatMap((object) => partsOf(names, object));
  const diagnostics = parts.flatMap(({ file, ...service }): readonly Diagnostic[] =>
    registerService(files, names, { ...service, file: file.path }),
  );
  return { files: parts.map(({ file }) => file), diagnostics };
}

interface Part {
  readonly list: "readers" | "handlers";
  readonly key: string;
  readonly name: string;
  readonly file: GeneratedFile;
}

function partsOf(names: ModuleNames, object: ObjectNames): readonly Part[] {
  const reader = readerScaffold(names, object, object.model.readerType);
  return [
    { list: "readers", key: object.identifier, name: readerName(object), file: reader },
    ...object.actions.map(({ model, identifier }): Part => {
      const definition = { identifier, name: model.className, object: object.model };
      const file = handlerScaffold(names, object, definition);
      return { list: "handlers", key: identifier, name: handlerName(identifier), file };
    }),
  ];
}
