/** Keys with marks in them that mean something in an address: who writes them into a path as they are asks for another one. */
import type { RecordType } from "../../records/record-type.js";
import type { ConnectorRegistration } from "../../registration/registration.js";
import type { FakeOptions } from "../fake-options.js";
import { type FakeValues, keysOf, schemasOf } from "../fake-records.js";
import { listedObjects } from "../routes.js";

/** Values of all objects, with odd ones for texts of primary keys that may have any content. */
export function oddKeys(
  registration: ConnectorRegistration,
  { lists = {}, values = {} }: FakeOptions,
): Readonly<Record<string, FakeValues>> {
  const { objects } = listedObjects(registration, lists);
  const odd = objects.map(({ type }) => {
    const names = keysOf(type)
      .filter(({ isPrimary }) => isPrimary)
      .flatMap(({ properties }) => properties)
      .filter((name) => mayBeAnyText(type, name));
    return [type.name, Object.fromEntries(names.map((name) => [name, oddText]))] as const;
  });
  const all = Object.fromEntries(odd);
  return {
    ...all,
    ...Object.fromEntries(Object.entries(values).map(([name, own]) => [name, { ...all[name], ...own }])),
  };
}

function oddText(index: number): string {
  return `${index}/a b?c#d%25+é`;
}

const LIMITS = ["enum", "const", "pattern", "format", "maxLength"];

function mayBeAnyText(type: RecordType, name: string): boolean {
  const schemas = schemasOf(type, name);
  return (
    schemas.some((schema) => schema["type"] === "string") &&
    schemas.every((schema) => LIMITS.every((limit) => !(limit in schema)))
  );
}
