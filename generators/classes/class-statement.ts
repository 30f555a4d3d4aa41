/** One generated class or payload: its types in both forms, its check, and the class that the runtime makes of them. */
import type { KeyModel } from "../../schemas/model/connector-model.js";
import { renderDocument } from "../../schemas/model/render-schema.js";
import type { PropertyModel, SchemaDocument } from "../../schemas/model/schema-model.js";
import { textOf } from "../../schemas/model/schema-model.js";
import { render } from "../render.js";
import { layOut } from "../typescript/code.js";
import { commentText, jsonLiteral, stringLiteral } from "../typescript/literals.js";
import { validatorCode } from "../validators/validator-code.js";
import type { GeneratedModule } from "./generated-module.js";
import { namesCode } from "./names-code.js";
import { declaredType, typeContext } from "./type-text.js";

/** What a class is made from. */
export interface ClassSource {
  /** The class's identifier, new in its module. */
  readonly identifier: string;
  /** What messages call it. */
  readonly name: string;
  readonly document: SchemaDocument;
  /** A sentence on what it is. */
  readonly description: string;
  /** Keys of a data object. */
  readonly keys?: readonly KeyModel[];
  /** Members that the class has beside, as code; for connections. */
  readonly body?: string;
}

/** States the class in `module`. */
export function stateClass(source: ClassSource, module: GeneratedModule): void {
  const { identifier, document, keys } = source;
  const root = document.root;
  const isClass = root.kind === "object" && !root.nullable;
  const names = namesCode(document, identifier);
  const schema = renderDocument(document);
  const check = validatorCode(schema, `${identifier}_check`);
  for (const name of check.imports) module.uses.add(name);
  module.uses.add(isClass ? "typedRecord" : "typedValue");
  if (names.statements.length > 0) module.uses.add("type Names");
  const view = {
    identifier,
    doc: commentText(docFor(source)),
    types: typesOf(source, module, { isClass, sameNames: names.root === undefined }),
    json: jsonTypeOf(source),
    check: check.code
      .replaceAll(`export function ${identifier}_check`, `function ${identifier}_check`)
      .trimEnd(),
    statements: names.statements,
    name: stringLiteral(source.name),
    schema: layOut(jsonLiteral(schema), "  ", 17),
    names: names.root === undefined ? "" : layOut(names.root, "  ", 9),
    keys:
      keys === undefined
        ? []
        : keys.map((key) => keyText(key, root.kind === "object" ? root.properties : [])),
    methods: isClass ? methodsOf(source, root.properties, module) : "",
    body: source.body ?? "",
  };
  module.state(render(isClass ? "record-class.ts" : "payload-value.ts", view).trimEnd());
}

function docFor({ document, description, name }: ClassSource): string {
  const title = textOf(document.root, "title");
  const words = [title, description].filter((part) => part !== undefined && part !== "");
  return words.length === 0 ? name : words.join(" — ");
}

/** `{X}Properties` and `{X}Json`; one stands for the other where no name differs. */
function typesOf(
  source: ClassSource,
  module: GeneratedModule,
  { isClass, sameNames }: { readonly isClass: boolean; readonly sameNames: boolean },
): string {
  const { identifier, document } = source;
  const codeName = isClass ? `${identifier}Properties` : identifier;
  const parts: string[] = [];
  const jsonName = jsonTypeOf(source);
  for (const form of ["code", "json"] as const) {
    const name = form === "code" ? codeName : jsonName;
    if (form === "json" && sameNames) {
      parts.push(
        `/** {@link ${codeName}} in serialized form: no name differs. */\nexport type ${name} = ${codeName};`,
      );
      continue;
    }
    const context = typeContext(document, identifier, form, module.taken);
    for (const definition of document.definitions) {
      const inner = context.interfaces.get(definition.name) ?? definition.name;
      parts.push(declaredType(inner, definition.schema, context, `Part of ${identifier}.`));
    }
    const doc = form === "code" ? `The properties of ${identifier}.` : `${identifier} in serialized form.`;
    parts.push(declaredType(name, document.root, context, doc));
  }
  return parts.join("\n\n");
}

function jsonTypeOf({ identifier }: ClassSource): string {
  return `${identifier}Json`;
}

/** What instances can do; a property of the author's that has such a name goes before. */
function methodsOf(
  { identifier, keys }: ClassSource,
  properties: readonly PropertyModel[],
  module: GeneratedModule,
): string {
  module.uses.add("type RecordMethods");
  if (keys !== undefined) module.uses.add("type KeyedMethods");
  const methods = `RecordMethods<${identifier}Json>${keys === undefined ? "" : " & KeyedMethods"}`;
  const own = ["validate", "toJSON", "key"].filter((method) =>
    properties.some(({ name }) => name === method),
  );
  return own.length === 0 ? methods : `Omit<${methods}, ${own.map(stringLiteral).join(" | ")}>`;
}

function keyText({ name, isPrimary, propertyNames }: KeyModel, properties: readonly PropertyModel[]): string {
  const names = propertyNames.map(
    (jsonName) => properties.find((one) => one.jsonName === jsonName)?.name ?? jsonName,
  );
  const list = names.map(stringLiteral).join(", ");
  return `{ name: ${stringLiteral(name)}, isPrimary: ${isPrimary}, properties: [${list}] }`;
}
