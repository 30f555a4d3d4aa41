/** Tells whether the reading of a data object may have changed: a hash of all that it depends on. */
import path from "node:path";
import {
  CONNECTION_TEST_FILE,
  FAKE_FILE,
  GENERATED_FOLDER,
  GENERATED_REGISTRATION_FILE,
  type Layout,
  projectLayout,
  REGISTRATION_FILE,
} from "../../generators/layout.js";
import type { ConnectorModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import { hashOf } from "../author-project/cache.js";
import { readTextIfExists } from "../system/read-text.js";
import type { Imports } from "./prepare-connector.js";

/**
 * By data path, the hash of the object's schema, of its reader's module, of all that this imports, and of what all readers
 * share, such as the client. A reader that stands elsewhere than the scaffold puts it depends on the whole connector.
 */
export function readingHashes(
  root: string,
  model: ConnectorModel,
  imports: Imports,
): ReadonlyMap<string, string> {
  const layout = projectLayout(model);
  const objects = layout.modules.flatMap((module) => module.objects);
  const schemas = new Map(objects.map((object) => [object.generatedFile, schemaText(object.model)]));
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    const known = texts.get(file) ?? contentOf(root, file, schemas);
    texts.set(file, known);
    return known;
  };
  const shared = filesFrom([REGISTRATION_FILE, FAKE_FILE], imports, filesOfServices(layout));
  return new Map(
    objects.map(({ model, readerFile }) => {
      const start = imports.has(readerFile) ? readerFile : REGISTRATION_FILE;
      const files = [...new Set([...shared, ...filesFrom([start], imports)])].sort();
      return [
        model.dataPath,
        hashOf([schemaText(model), ...files.flatMap((file) => [file, textOf(file)])].join("\n")),
      ];
    }),
  );
}

/** What only one reader or handler is made of, and what lists them. */
function filesOfServices({ modules }: Layout): ReadonlySet<string> {
  const files = modules.flatMap(({ servicesFile, objects }) => [
    servicesFile,
    ...objects.flatMap(({ readerFile, actions }) => [
      readerFile,
      ...actions.map(({ handlerFile }) => handlerFile),
    ]),
  ]);
  return new Set([...files, CONNECTION_TEST_FILE, GENERATED_REGISTRATION_FILE]);
}

/** Actions stand in the generated file of their data object, and are nothing to its reader. */
function schemaText({ actions: _, ...object }: DataObjectModel): string {
  return JSON.stringify(object);
}

/** What a reader sees of a file: of what is generated, only the schemas of data objects. */
function contentOf(root: string, file: string, schemas: ReadonlyMap<string, string>): string {
  const isGenerated = file.startsWith(`${GENERATED_FOLDER}/`);
  return isGenerated ? (schemas.get(file) ?? "") : (readTextIfExists(path.join(root, file)) ?? "");
}

/** The files that `starts` import, by way of others too; what `skipped` has is left out, with what only it imports. */
function filesFrom(
  starts: readonly string[],
  imports: Imports,
  skipped: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const found = new Set(starts);
  // What is added while it is walked through is walked through, too.
  for (const file of found) {
    for (const imported of imports.get(file) ?? []) if (!skipped.has(imported)) found.add(imported);
  }
  return found;
}
