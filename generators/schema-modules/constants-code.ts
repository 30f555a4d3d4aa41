/** States the constants of a file, or of the file that a module's files share. */
import { layOut } from "../typescript/code.js";
import type { Constants } from "./constants.js";
import { documentContext } from "./document-code.js";
import { schemaCode } from "./schema-expression.js";
import type { SourceModule } from "./source-module.js";

/** States every constant of `file` (undefined: the shared ones) in `source`, in an order in which each is known. */
export function stateConstants(
  constants: Constants,
  file: string | undefined,
  source: SourceModule,
  sharedFile: string,
): void {
  for (const constant of constants.all.filter((candidate) => candidate.file === file)) {
    const { schema, convention, name } = constant;
    if (schema.kind === "verbatim") continue;
    const shape = { ...schema, nullable: false, keywords: [] };
    const document = { root: shape, definitions: [] };
    const context = documentContext(document, {
      source,
      convention,
      taken: new Set(),
      name,
      constants,
      sharedFile,
    });
    const inside = {
      ...context,
      constant: (inner: typeof schema) => (inner === shape ? undefined : context.constant?.(inner)),
    };
    const head = `${file === undefined ? "export " : ""}const ${name} = `;
    source.state(`${head}${layOut(schemaCode(shape, inside as typeof context), "", head.length + 1)};`);
  }
}
