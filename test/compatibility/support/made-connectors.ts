/** Arbitrary connectors with schemas of every keyword, the same on every run. */
import { pick, type Random, randomDocument, randomFrom } from "../../validation/random.js";

/** Texts of `count` files. */
export function madeConnectors(count: number): readonly string[] {
  return Array.from({ length: count }, (_, seed) => JSON.stringify(connector(randomFrom(seed + 1))));
}

function connector(random: Random): object {
  const count = () => 1 + Math.floor(random() * 2);
  return {
    ...nameMembers("made", random),
    connectionDefinitions: [
      {
        key: "apiKeyAuth",
        name: "Key",
        description: "",
        attributes: [attribute("a"), attribute("b")],
        type: "Standard",
      },
    ],
    configSchema: objectSchema(random),
    modules: list(count(), (m) => ({
      ...nameMembers(`module${m}`, random),
      version: 1,
      services: ["ActionProcessor", "CacheWriter"].map((type) => ({
        name: type,
        type,
        configSchema: objectSchema(random),
      })),
      dataObjects: list(count(), (o) => ({
        ...nameMembers(`object${o}`, random),
        createEndpoint: true,
        schema: objectSchema(random),
        keys: [{ urlPart: "id", propertyNames: ["x", "y"], isPrimary: true }],
        actions: list(count(), (a) => ({
          ...nameMembers(`action${a}`, random),
          createRtap: true,
          inputSchema: objectSchema(random),
          outputSchema: objectSchema(random),
          failureSchema: objectSchema(random),
        })),
      })),
    })),
  };
}

/** An open object whose properties are anything. */
function objectSchema(random: Random): object {
  const names = ["first", "a/b", "~", "é", "x-y", "1"];
  const properties = list(3, () => [pick(random, names), usable(randomDocument(random))] as const);
  return { type: "object", properties: Object.fromEntries(properties) };
}

/**
 * Without `false`, which the format does not have, definitions, which only stand at the root of a document, and names
 * that every object inherits, of which nothing is proven.
 */
function usable(schema: unknown): unknown {
  const isOdd = /(?:^|[:[,])false|\$ref|constructor|toString|hasOwnProperty|__proto__/.test(
    JSON.stringify(schema),
  );
  return isOdd ? { type: "string" } : schema;
}

function attribute(key: string): object {
  return { title: key, key, isSensitive: false, isRequired: false, description: "" };
}

function nameMembers(key: string, random: Random): object {
  return { name: pick(random, ["One", "Two"]), urlPart: key, key, description: "Made." };
}

function list<Item>(length: number, make: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => make(index));
}
