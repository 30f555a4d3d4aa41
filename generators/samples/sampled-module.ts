/** The schema module of a data object that was made from a sample. */
import type { DataObjectModel, ReaderType } from "../../schemas/model/connector-model.js";
import type { ObjectSchema, PropertyModel, SchemaModel } from "../../schemas/model/schema-model.js";
import { defaultKeyName } from "../../schemas/naming/key-names.js";
import type { GeneratedFile } from "../generated-file.js";
import type { DataObjectLayout, ModuleLayout } from "../layout.js";
import { dataObjectModule } from "../schema-modules/data-object-module.js";
import { fittingConvention } from "../schema-modules/naming-convention.js";
import type { Sample } from "./read-sample.js";

/** What a sample does not tell of its object. */
export interface SampledObject {
  readonly readerType: ReaderType;
  readonly description: string;
  /** Description of a primary key of one property. */
  readonly keyDescription: string;
}

/** The schema module of `object`, with a comment on each thing that the sample has told. */
export function sampledModule(
  object: DataObjectLayout,
  names: ModuleLayout,
  { schema, key, keyReason, comments }: Sample,
  { readerType, description, keyDescription }: SampledObject,
): GeneratedFile {
  const described = (property: PropertyModel): PropertyModel =>
    key.length === 1 && key[0] === property.jsonName
      ? { ...property, schema: withDescription(property.schema, keyDescription) }
      : property;
  const own = schema.root.kind === "object" ? schema.root.properties : [];
  const root: ObjectSchema = {
    kind: "object",
    nullable: false,
    keywords: [{ name: "description", value: description }],
    properties: own.map(described),
  };
  const said = root.properties.map((property, index) => [property, commentOn(own[index], comments)] as const);
  const model: DataObjectModel = {
    ...object.model,
    description,
    readerType,
    schema: { root, definitions: [] },
    keys: [{ name: defaultKeyName(key, true), propertyNames: key, isPrimary: true }],
  };
  return dataObjectModule(
    { ...object, model },
    {
      names,
      taken: new Set(names.identifiers),
      constants: { all: [], find: () => undefined },
      conventions: new Map([[model, fittingConvention([model.schema], "camelCase")]]),
      comments: { key: keyReason, properties: new Map([...comments, ...said]) },
    },
  );
}

function commentOn(property: PropertyModel | undefined, comments: Sample["comments"]): string {
  return (property && comments.get(property)) ?? "";
}

function withDescription(schema: SchemaModel, description: string): SchemaModel {
  if (schema.kind === "verbatim") return schema;
  return { ...schema, keywords: [...schema.keywords, { name: "description", value: description }] };
}
