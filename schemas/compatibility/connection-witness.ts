/** Stored connections that one definition takes and the other does not, verified like every witness. */
import type { ConnectionModel } from "../model/connector-model.js";
import type { Witness } from "./change.js";
import { isObject, type JsonObject } from "./json.js";
import type { Facet, Pair } from "./schema-changes/facet.js";
import { SchemaSide } from "./schema-side.js";
import { findWitness, newEffort } from "./witness/find-witness.js";

export interface ConnectionWitness {
  /** A connection without the property `key`. */
  missing(key: string, acceptedBy: "old" | "new"): Witness | null;
  /** A connection with the option `value`. */
  option(key: string, value: number, acceptedBy: "old" | "new"): Witness | null;
}

export function connectionWitness(old: ConnectionModel, next: ConnectionModel): ConnectionWitness {
  const pair = (): Pair => {
    const [oldSide, newSide] = [new SchemaSide(schemaOf(old)), new SchemaSide(schemaOf(next))];
    const pointers = { oldPointer: "", newPointer: "" };
    return { old: oldSide.root, new: newSide.root, oldSide, newSide, ...pointers, path: [] };
  };
  let made: Pair | undefined;
  const effort = newEffort();
  const search = (change: (pair: Pair) => Pair, facet: Partial<Facet>, acceptedBy: "old" | "new") => {
    made ??= pair();
    return findWitness(change(made), { ...FACET, ...facet }, { acceptedBy, effort }) ?? null;
  };
  return {
    missing: (key, acceptedBy) =>
      search((whole) => whole, { keywords: [`required ${key}`], member: key }, acceptedBy),
    option: (key, value, acceptedBy) =>
      search((whole) => inside(whole, key), { keywords: ["enum"], candidates: () => [value] }, acceptedBy),
  };
}

const FACET: Facet = {
  code: "connection-property-required",
  parameters: {},
  narrows: "yes",
  widens: "no",
  keywords: [],
};

function inside(pair: Pair, name: string): Pair {
  const property = (side: SchemaSide) => {
    const properties = isObject(side.root) ? side.root["properties"] : undefined;
    const schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isObject(schema) ? schema : true;
  };
  const path = [{ kind: "member", name } as const];
  return { ...pair, old: property(pair.oldSide), new: property(pair.newSide), path };
}

function schemaOf({ attributes }: ConnectionModel): JsonObject {
  const properties = attributes.map(({ key, options }): [string, JsonObject] => [
    key,
    options.length === 0 ? {} : { enum: [...new Set(options.map(({ value }) => value))] },
  ]);
  const required = attributes.filter(({ isRequired }) => isRequired).map(({ key }) => key);
  return { type: "object", properties: Object.fromEntries(properties), required: [...new Set(required)] };
}
