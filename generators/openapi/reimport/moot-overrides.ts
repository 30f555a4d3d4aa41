/** What an author writes behind a base although the document says the same by now. */
import type { GeneratedFile } from "../../generated-file.js";
import { restatedProperties, SourceFiles } from "../../source-edits/index.js";
import { IMPORTED, type ImportSource, type ObjectPlace, objectPlaces } from "../modules/import-files.js";

/** An override that changes nothing. */
export interface MootOverride {
  /** The author's module. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** `Project.email`, `projectReader.pages`. */
  readonly name: string;
}

/**
 * The overrides that say what their bases say.
 *
 * @param files All files that a new project would have. @param sources The author's modules, as they are.
 */
export function mootOverrides(
  source: ImportSource,
  { files, sources }: { readonly files: readonly GeneratedFile[]; readonly sources: SourceFiles },
): readonly MootOverride[] {
  const made = new Map(files.map(({ path, content }) => [path, content]));
  // The author's modules with the bases as they will be.
  const all = new SourceFiles((name) =>
    name.startsWith(`${IMPORTED}/`) ? made.get(name) : sources.text(name),
  );
  return objectPlaces(source)
    .flatMap(spreadingConstants)
    .filter(({ file }) => {
      const text = sources.text(file);
      // Most modules are as they were made, and need not be parsed.
      return text !== undefined && text !== made.get(file);
    })
    .flatMap(({ file, constant }) => {
      const start = { file, constant };
      const restated = [[1], [1, "properties"]].flatMap((steps) => restatedProperties(all, start, steps));
      return restated
        .filter((found) => found.file === file)
        .map(({ name, node }) => ({
          file,
          line: lineAt(all.text(file) ?? "", node.start),
          name: `${constant}.${name}`,
        }));
    });
}

/** The author's constants that spread a base. */
function spreadingConstants({
  names,
}: ObjectPlace): readonly { readonly file: string; readonly constant: string }[] {
  return [
    { file: names.file, constant: names.identifier },
    { file: names.readerFile, constant: names.declaredReaderName },
    ...names.actions.flatMap(({ identifier, handlerFile, declaredHandlerName }) => [
      { file: names.file, constant: identifier },
      { file: handlerFile, constant: declaredHandlerName },
    ]),
  ];
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
