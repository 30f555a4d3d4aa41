/** Values without a fixed structure (§2.10): dictionaries and any value, nullable and not. */
import { defineConnector, defineDataObject, defineModule, Nullable, Type } from "connectorcli";

const Dynamic = defineDataObject("Dynamic", {
  description: "Dynamic types.",
  primaryKey: "id",
  properties: {
    id: Type.String(),
    texts: Type.Record(Type.String(), Type.String()),
    nullableTexts: Nullable(Type.Record(Type.String(), Type.String())),
    values: Type.Record(Type.String(), Type.Unknown()),
    nullableValues: Nullable(Type.Record(Type.String(), Type.Unknown()), { description: "Whatever comes." }),
    objects: Type.Record(Type.String(), Type.Object({ streetName: Type.String() })),
    anything: Type.Unknown(),
    described: Type.Any({ description: "Any value, discouraged." }),
    nullableAnything: Nullable(Type.Unknown()),
  },
});

export const connector = defineConnector("Dynamic", {
  key: "dynamic",
  description: "Dynamic types.",
  connections: [],
  modules: [defineModule("App", { key: "app", version: 1, description: "", dataObjects: [Dynamic] })],
});
