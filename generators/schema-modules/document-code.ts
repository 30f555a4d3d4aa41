/** A document as an expression, with the module of its definitions stated before it where it is recursive. */
import type { Keywords, SchemaDocument } from "../../schemas/model/schema-model.js";
import type { NamingConvention } from "../../schemas/naming/conventions.js";
import { unique } from "../../schemas/naming/identifiers.js";
import { type Code, call, type Entry, layOut, object } from "../typescript/code.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import type { Constants } from "./constants.js";
import { type ExpressionContext, optionsCode, schemaCode } from "./schema-expression.js";
import type { SourceModule } from "./source-module.js";

/** What a document is written with. */
export interface DocumentPlace {
  readonly source: SourceModule;
  readonly convention: NamingConvention;
  readonly taken: Set<string>;
  /** What the definitions are named after: `Employee`. */
  readonly name: string;
  readonly constants?: Constants;
  /** The file of constants that several files use. */
  readonly sharedFile?: string;
}

/** The context for expressions of `document`; its definitions are stated in the source module. */
export function documentContext(document: SchemaDocument, place: DocumentPlace): ExpressionContext {
  const { source, convention } = place;
  const uses = source.uses;
  const inDefinitions: ExpressionContext = {
    convention,
    uses,
    reference: (definition, options) => {
      uses.add("Type");
      return call("Type.Ref", stringLiteral(definition), optionsCode(options));
    },
  };
  const identifier = document.definitions.length === 0 ? "" : unique(`${place.name}Definitions`, place.taken);
  if (document.definitions.length > 0) {
    uses.add("Type");
    const members = document.definitions.map(({ name, schema }) => ({
      key: propertyKey(name),
      value: schemaCode(schema, inDefinitions),
    }));
    source.state(layOut(call(`const ${identifier} = Type.Module`, object(members))).concat(";"));
  }
  return {
    convention,
    uses,
    constant: (schema) => constantFor(schema, place),
    reference: (definition, options) => importCode(identifier, definition, options),
  };
}

/** What is said of a use stands beside the import: TypeBox would add options of `Import` to the definition itself. */
function importCode(module: string, definition: string, options: readonly Entry[]): Code {
  const imported = `${module}.Import(${stringLiteral(definition)})`;
  return options.length === 0 ? imported : object([{ value: `...${imported}` }, ...options]);
}

/** The whole document as one expression. */
export function documentCode(document: SchemaDocument, place: DocumentPlace): Code {
  return schemaCode(document.root, rootContext(documentContext(document, place), document));
}

/** A root is never replaced by a constant: constants are for shapes inside documents. */
function rootContext(context: ExpressionContext, document: SchemaDocument): ExpressionContext {
  const { constant } = context;
  if (constant === undefined) return context;
  return { ...context, constant: (schema) => (schema === document.root ? undefined : constant(schema)) };
}

/** Whether root keywords can be given as options of a definition: title, description, then what the options know. */
export function areRootOptions(keywords: Keywords): boolean {
  const names = keywords.map(({ name }) => name);
  const heading = ["title", "description"].filter((name) => names.includes(name));
  if (names.slice(0, heading.length).join() !== heading.join()) return false;
  return keywords.every(({ name, value }) => {
    if (name === "title" || name === "description") return typeof value === "string";
    if (name === "additionalProperties") return typeof value === "boolean";
    if (name === "minProperties" || name === "maxProperties") return typeof value === "number";
    return name.startsWith("x-");
  });
}

function constantFor(schema: Parameters<typeof schemaCode>[0], place: DocumentPlace): string | undefined {
  const constant = place.constants?.find(schema, place.convention);
  if (constant === undefined) return undefined;
  if (constant.file === undefined && place.sharedFile !== undefined)
    place.source.import(constant.name, place.sharedFile);
  return constant.name;
}
