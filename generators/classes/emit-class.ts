/** One generated class or payload: its types in both forms, its check, and the class that the runtime makes of them. */
import type { KeyModel, UnknownMembers } from "../../schemas/model/connector-model.js";
import { renderDocument } from "../../schemas/model/render-schema.js";
import type { PropertyModel, SchemaDocument } from "../../schemas/model/schema-model.js";
import { textOf } from "../../schemas/model/schema-model.js";
import { type Code, call, type Entry, list, object, textWith, ts } from "../typescript/code.js";
import { codegenType, codegenValue } from "../typescript/codegen-symbols.js";
import { commentText, jsonLiteral, stringLiteral } from "../typescript/literals.js";
import type { ModulePrinter } from "../typescript/module-printer.js";
import { type ValidatorCode, validatorCode } from "../validators/validator-code.js";
import { nameMappingCode } from "./name-mapping-code.js";
import { declarationText, type NamedTypes, typeContext } from "./type-text.js";

/** What a class is made from. */
export interface ClassSource {
  /** The class's identifier, unique in its module. */
  readonly identifier: string;
  /** The name of the class in messages. */
  readonly name: string;
  readonly document: SchemaDocument;
  /** A sentence on what the class is for. */
  readonly description: string;
  /** Keys of a data object. */
  readonly keys?: readonly KeyModel[];
  /** What becomes of members of a record that its schema does not know. @default "keep" */
  readonly unknownMembers?: UnknownMembers;
  /** Types of the module that properties have. @default none */
  readonly named?: NamedTypes;
  /** Extra class members as source text; only connection classes use it. */
  readonly members?: Code;
}

/** Prints the class into `module`. A payload that is no object becomes a constant with the same statics. */
export function emitClass(source: ClassSource, module: ModulePrinter): void {
  const { identifier, document } = source;
  const mapping = nameMappingCode(document, identifier);
  const isClass = document.root.kind === "object" && !document.root.nullable;
  for (const name of [identifier, `${identifier}Properties`, `${identifier}Json`]) module.declared.add(name);
  emitTypes(source, module, { isClass, sameNames: mapping.root === undefined });
  const schema = renderDocument(document);
  module.print(checkCode(identifier, validatorCode(schema, `${identifier}_check`)));
  for (const statement of mapping.statements) module.print(statement);
  const entries: readonly Entry[] = [
    { key: "name", value: stringLiteral(source.name) },
    { key: "schema", value: ts`() => (${jsonLiteral(schema)})` },
    { key: "check", value: `${identifier}_check` },
    ...(mapping.root === undefined ? [] : [{ key: "names", value: mapping.root }]),
    ...keyEntries(source),
    ...(source.unknownMembers === "drop" ? [{ key: "unknownMembers", value: stringLiteral("drop") }] : []),
  ];
  const doc = `/** ${commentText(docOf(source))} */\n`;
  if (isClass) {
    const methods = methodsType(source);
    const base = ts`${codegenValue("typedRecord")}<${identifier}Properties, ${identifier}Json, ${methods}>`;
    const members = source.members === undefined ? "" : ts`${source.members}\n`;
    module.print(ts`${doc}export class ${identifier} extends ${call(base, object(entries))} {\n${members}}`);
  } else {
    const base = ts`${codegenValue("typedValue")}<${identifier}, ${identifier}Json>`;
    module.print(ts`${doc}export const ${identifier} = ${call(base, object(entries))};`);
  }
}

/** The functions of the check, of which the module exports none. */
function checkCode(identifier: string, { code, helpers }: ValidatorCode): Code {
  const text = code.replace(`export function ${identifier}_check(`, `function ${identifier}_check(`);
  return textWith(helpers.map(codegenValue), text.trimEnd());
}

function docOf({ document, description, name }: ClassSource): string {
  const words = [textOf(document.root, "title"), description].filter(
    (part) => part !== undefined && part !== "",
  );
  return words.length === 0 ? name : words.join(" — ");
}

/** `{X}Properties` and `{X}Json`; the second is an alias if no name differs. */
function emitTypes(
  { identifier, document, named }: ClassSource,
  module: ModulePrinter,
  { isClass, sameNames }: { readonly isClass: boolean; readonly sameNames: boolean },
): void {
  const codeName = isClass ? `${identifier}Properties` : identifier;
  const jsonName = `${identifier}Json`;
  for (const form of ["code", "json"] as const) {
    const name = form === "code" ? codeName : jsonName;
    if (form === "json" && sameNames) {
      const doc = `/** {@link ${codeName}} in serialized form: no name differs. */`;
      module.print(`${doc}\nexport type ${name} = ${codeName};`);
      continue;
    }
    const context = typeContext(document, identifier, form, { taken: module.declared, named });
    for (const definition of document.definitions) {
      const inner = context.interfaces.get(definition.name) ?? definition.name;
      module.print(declarationText(inner, definition.schema, context, `Part of ${identifier}.`));
    }
    const doc = form === "code" ? `The properties of ${identifier}.` : `${identifier} in serialized form.`;
    module.print(declarationText(name, document.root, context, doc));
  }
}

/** The type of the methods of an instance. A property of the author's that has such a name takes its place. */
function methodsType({ identifier, keys, document }: ClassSource): Code {
  const methods = ts`${codegenType("RecordMethods")}<${identifier}Json>`;
  const all = keys === undefined ? methods : ts`${methods} & ${codegenType("KeyedMethods")}`;
  const properties = document.root.kind === "object" ? document.root.properties : [];
  const replaced = ["validate", "toJSON", "key"].filter((method) =>
    properties.some(({ name }) => name === method),
  );
  return replaced.length === 0 ? all : ts`Omit<${all}, ${replaced.map(stringLiteral).join(" | ")}>`;
}

function keyEntries({ keys, document }: ClassSource): readonly Entry[] {
  if (keys === undefined || keys.length === 0) return [];
  const properties = document.root.kind === "object" ? document.root.properties : [];
  return [{ key: "keys", value: list(keys.map((key) => keyCode(key, properties))) }];
}

function keyCode({ name, isPrimary, propertyNames }: KeyModel, properties: readonly PropertyModel[]): Code {
  const names = propertyNames.map(
    (jsonName) => properties.find((property) => property.jsonName === jsonName)?.name ?? jsonName,
  );
  return object([
    { key: "name", value: stringLiteral(name) },
    { key: "isPrimary", value: String(isPrimary) },
    { key: "properties", value: list(names.map(stringLiteral)) },
  ]);
}
