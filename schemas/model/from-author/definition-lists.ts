/** Lists of definitions inside an option: what belongs there, each with a scope of its own. */
import { definedAt } from "../../authoring/definition.js";
import { jsonPointer } from "../../naming/json-pointer.js";
import { inside, isRecord, nameOf, type Options, report, type Scope } from "./scope.js";
import { noteDefinitionSilences } from "./silences.js";

/** A definition of the right kind, and where it stands. */
export interface Found {
  readonly value: Readonly<Record<PropertyKey, unknown>>;
  readonly name: string;
  readonly scope: Scope;
}

/** The definitions of `kind` in the list `option`, each at its place under `member` of connector.json. */
export function definitionsIn(
  options: Options,
  option: string,
  kind: string,
  member: string,
  scope: Scope,
): readonly Found[] {
  return valuesIn(options, option, kind, scope).map((value, index) =>
    foundAt(value, kind, inside(scope, { pointer: [member, index] })),
  );
}

/** The values of `kind` in the list `option`; anything else in it is reported and left out. */
export function valuesIn(
  options: Options,
  option: string,
  kind: string,
  scope: Scope,
): readonly Found["value"][] {
  const found: Found["value"][] = [];
  for (const [index, value] of options.list(option).entries()) {
    const place = inside(scope, { path: [option, index] });
    if (!isRecord(value) || value["kind"] !== kind) {
      report(place, "definition-invalid", {
        what: `Member ${index + 1} of "${option}" of ${scope.what}`,
        expected: `a defined ${kind}`,
        actual: nameOf(value),
      });
      continue;
    }
    found.push(value);
  }
  return found;
}

/** `value` with its name and the scope that its own definition opens. */
export function foundAt(value: Readonly<Record<PropertyKey, unknown>>, kind: string, place: Scope): Found {
  const options = isRecord(value["options"]) ? value["options"] : {};
  const given = typeof value["name"] === "string" ? value["name"] : options["name"];
  const name = typeof given === "string" ? given : "";
  const scope = openDefinition(value, { ...place, what: `${kind} "${name}"` });
  if (typeof given !== "string") {
    report(scope, "definition-invalid", {
      what: `The name of a ${kind}`,
      expected: "a text",
      actual: nameOf(given),
    });
  }
  return { value, name, scope };
}

/** The scope of a definition: what is inside it is looked for from its own call. */
export function openDefinition(value: object, place: Scope): Scope {
  const origin = definedAt(value);
  if (origin !== undefined) place.origins.set(jsonPointer(place.pointer), origin);
  const scope = { ...place, path: [] };
  const options = Reflect.get(value, "options");
  if (isRecord(options)) noteDefinitionSilences(options["silence"], scope);
  return scope;
}
