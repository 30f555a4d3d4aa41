/** Real `connector.json` files, if they are at hand: beside the repository, or in CONNECTORCLI_CORPUS; and the faults in their keys. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConnectorJson } from "../../schemas/formats/connector-json.js";
import { inRepository } from "./repository.js";

export interface CorpusFile {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** The folder that is looked into. */
export const CORPUS_FOLDER = process.env["CONNECTORCLI_CORPUS"] ?? inRepository("../shared/corpus");

/** What a test says that skips for want of the files. */
export const NO_CORPUS = `is not here: put files named *.connector.json in ${CORPUS_FOLDER}, or name a folder in CONNECTORCLI_CORPUS`;

/** The files of the corpus; none where the folder is absent. */
export function corpusFiles(): readonly CorpusFile[] {
  if (!existsSync(CORPUS_FOLDER)) return [];
  return readdirSync(CORPUS_FOLDER)
    .filter((name) => name.endsWith(".connector.json"))
    .sort()
    .map((name) => ({
      name,
      path: join(CORPUS_FOLDER, name),
      text: readFileSync(join(CORPUS_FOLDER, name), "utf8"),
    }));
}

export interface KeyFault {
  readonly code: string;
  readonly pointer: string;
  /** The property that is wrong; absent where the key as a whole is. */
  readonly property?: string;
}

interface PlainSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string | readonly string[] } | true>>;
  readonly required?: readonly string[];
}

/** Every fault of every key, in the order of the file. */
export function keyFaults({ modules }: ConnectorJson): readonly KeyFault[] {
  return modules.flatMap(({ dataObjects }, m) =>
    dataObjects.flatMap(({ schema, keys }, o) => {
      const pointer = `/modules/${m}/dataObjects/${o}/keys`;
      const isMissing = !keys.some(({ isPrimary }) => isPrimary);
      return [
        ...(isMissing ? [{ code: "key-missing", pointer }] : []),
        ...keys.flatMap(({ propertyNames }, k) =>
          faultsOf(propertyNames, schema as PlainSchema).map((fault) => ({
            ...fault,
            pointer: `${pointer}/${k}`,
          })),
        ),
      ];
    }),
  );
}

function faultsOf(names: readonly string[], { properties = {}, required = [] }: PlainSchema) {
  if (names.length === 0) return [{ code: "key-empty" }];
  return names.flatMap((name) => {
    const property = properties[name];
    if (property === undefined) return [{ code: "key-property-unknown", property: name }];
    const isNullable = property === true || !property.type || property.type.includes("null");
    return [
      ...(required.includes(name) ? [] : [{ code: "key-property-optional", property: name }]),
      ...(isNullable ? [{ code: "key-property-nullable", property: name }] : []),
    ];
  });
}
