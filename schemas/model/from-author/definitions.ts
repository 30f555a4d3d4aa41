/** Recursive types: every recursion becomes one definition of its document and references to it (spec §2.10). */
import { Hint, Kind } from "@sinclair/typebox";
import { AUTHORING_KEYWORDS } from "../../keywords.js";
import { classIdentifier, unique } from "../../naming/identifiers.js";
import type { DefinitionModel, Keywords, SchemaModel } from "../schema-model.js";
import { keywordsIn } from "./keyword-values.js";
import { asNullable } from "./nullable.js";
import type { Schema, SchemaContext } from "./schema-context.js";
import { inside, isRecord, report, textFrom } from "./scope.js";

export class Definitions {
  readonly #taken = new Set<string>();
  readonly #byContent = new Map<string, string>();
  readonly #schemas = new Map<string, SchemaModel>();

  /** The definitions, in the order in which they were met. */
  list(): readonly DefinitionModel[] {
    return [...this.#schemas].map(([name, schema]) => ({ name, schema }));
  }

  names(): readonly string[] {
    return [...this.#schemas.keys()];
  }

  /** Whether `schema` becomes a reference where it is used. */
  isReference(schema: Schema): boolean {
    return schema[Hint] === "Recursive" || ["This", "Ref", "Import"].includes(textFrom(schema[Kind]));
  }

  /** A reference to what Type.Recursive made. */
  recursive(schema: Schema, context: SchemaContext, nullable = false): SchemaModel {
    return { kind: "reference", definition: this.#define(schema, context, nullable), keywords: [] };
  }

  /** A reference to a member of Type.Module. */
  imported(schema: Schema, context: SchemaContext, nullable = false): SchemaModel {
    const members = isRecord(schema["$defs"]) ? (schema["$defs"] as Readonly<Record<string, Schema>>) : {};
    const environment = new Map([...context.environment, ...Object.entries(members)]);
    const keywords = keywordsIn(schema, context, ["$defs", "$ref"]);
    return this.#reference(schema, keywords, { ...context, environment }, nullable);
  }

  /** A reference by name: `This` of a recursive type, or Type.Ref inside a module. */
  referenced(schema: Schema, context: SchemaContext, nullable = false): SchemaModel {
    return this.#reference(schema, keywordsIn(schema, context, ["$ref"]), context, nullable);
  }

  /** The reference that also accepts null: to a definition of its own, since a `$ref` can't be widened. */
  nullable(schema: Schema, context: SchemaContext): SchemaModel {
    if (schema[Kind] === "Import") return this.imported(schema, context, true);
    return schema[Hint] === "Recursive"
      ? this.recursive(schema, context, true)
      : this.referenced(schema, context, true);
  }

  /** The recursive schema itself, spelled out; references inside it name definitions. */
  expand(schema: Schema, context: SchemaContext, nullable = false): SchemaModel {
    const { [Hint]: _, $id: id, ...plain } = schema;
    const environment = new Map([...context.environment, [textFrom(id), schema]]);
    const built = context.build(plain, { ...context, environment });
    return nullable ? asNullable(built) : built;
  }

  #reference(schema: Schema, keywords: Keywords, context: SchemaContext, nullable: boolean): SchemaModel {
    const id = textFrom(schema["$ref"]);
    const target = context.environment.get(id);
    if (target !== undefined) {
      return { kind: "reference", definition: this.#define(target, context, nullable), keywords };
    }
    report(context.scope, "schema-reference-unknown", { what: context.scope.what, reference: id });
    return { kind: "any", keywords: [] };
  }

  #define(schema: Schema, context: SchemaContext, nullable: boolean): string {
    const content = `${nullable}${contentOf(schema)}`;
    const known = this.#byContent.get(content);
    if (known !== undefined) return known;
    const name = unique(`${nullable ? "Nullable" : ""}${givenName(schema, context)}`, this.#taken);
    this.#byContent.set(content, name);
    this.#schemas.set(name, { kind: "any", keywords: [] });
    const change = { what: `"${name}" of ${context.root.what}`, pointer: ["$defs", name] };
    const scope = { ...inside(context.root, change), path: context.scope.path };
    this.#schemas.set(name, this.expand(schema, { ...context, scope, ancestors: new Set() }, nullable));
    return name;
  }
}

/** TypeBox numbers recursive types without an `$id`; such a number says nothing and changes from run to run. */
function givenName(schema: Schema, context: SchemaContext): string {
  const id = schema["$id"];
  const isNumber = schema[Hint] === "Recursive" && typeof id === "string" && /^T\d+$/.test(id);
  if (typeof id === "string" && !isNumber) return id;
  const last = context.scope.path.findLast((step) => typeof step === "string");
  return classIdentifier(String(last ?? "Recursive"));
}

/** What makes two definitions one. The serialized name of a use, which `Import` adds to its target, does not count. */
function contentOf(schema: Schema): string {
  const own = Object.entries(schema).filter(([name]) => !AUTHORING_KEYWORDS.includes(name));
  try {
    return JSON.stringify(own);
  } catch {
    return textFrom(schema["$id"]);
  }
}
