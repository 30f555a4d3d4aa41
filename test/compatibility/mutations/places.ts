/** The schemas of a connector.json by who meets their values, and places in them. */
import { pick, type Random } from "../../validation/random.js";

type Json = ReturnType<typeof JSON.parse>;

export interface PlacedSchema {
  readonly role: "record" | "input" | "output" | "failure" | "configuration";
  readonly schema: Json;
  readonly pointer: string;
}

/** Every schema of the file. */
export function documentsOf(file: Json): readonly PlacedSchema[] {
  const modules = file.modules.flatMap((module: Json, m: number) => [
    ...module.services.map((service: Json, s: number) =>
      placedSchema("configuration", service.configSchema, `/modules/${m}/services/${s}/configSchema`),
    ),
    ...module.dataObjects.flatMap((object: Json, o: number) => {
      const pointer = `/modules/${m}/dataObjects/${o}`;
      return [
        placedSchema("record", object.schema, `${pointer}/schema`),
        ...object.actions.flatMap((action: Json, a: number) =>
          (["input", "output", "failure"] as const).map((role) =>
            placedSchema(role, action[`${role}Schema`], `${pointer}/actions/${a}/${role}Schema`),
          ),
        ),
      ];
    }),
  ]);
  return [placedSchema("configuration", file.configSchema, "/configSchema"), ...modules];
}

/** A random object of a random schema that is read, or of one that is sent; undefined where there is none. */
export function someObject(file: Json, isRead: boolean, random: Random): PlacedSchema | undefined {
  const reads = ["record", "output", "failure"];
  const documents = documentsOf(file).filter(({ role }) => reads.includes(role) === isRead);
  const objects = documents.flatMap(objectsIn);
  return objects.length === 0 ? undefined : pick(random, objects);
}

function placedSchema(role: PlacedSchema["role"], schema: Json, pointer: string): PlacedSchema {
  return { role, schema, pointer };
}

/** The open objects with properties in a schema, itself among them. */
function objectsIn({ role, schema, pointer }: PlacedSchema): readonly PlacedSchema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const isPlain = schema.properties !== undefined && schema.additionalProperties === undefined;
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, value]) =>
    objectsIn(
      placedSchema(role, value, `${pointer}/properties/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`),
    ),
  );
  const items = Array.isArray(schema.items)
    ? []
    : objectsIn(placedSchema(role, schema.items, `${pointer}/items`));
  const values = objectsIn(
    placedSchema(role, schema.additionalProperties, `${pointer}/additionalProperties`),
  );
  return [...(isPlain ? [placedSchema(role, schema, pointer)] : []), ...inner, ...items, ...values];
}
