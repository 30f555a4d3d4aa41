/** The service configurations that a host gives: which module they are for, and what is for none (spec §2.8). */
import { didYouMean } from "../../schemas/naming/nearest.js";
import { shown } from "../validation/finding.js";
import { isObject } from "../validation/values.js";
import { type StartFinding, startFinding } from "./start-error.js";
import { memberOf } from "./unsure.js";

/** The two configurations of a module, in serialized form. */
export interface ServiceConfigurations {
  readonly actionProcessor: unknown;
  readonly cacheWriter: unknown;
}

const SERVICES = ["actionProcessor", "cacheWriter"];

/** What was given under the name of no module or no service; each names the nearest right one. */
export function strayServices(services: unknown, ids: readonly string[]): readonly StartFinding[] {
  if (!isObject(services)) return [noObject("services", services)];
  return Object.keys(services).flatMap((id) => {
    if (!ids.includes(id)) return [unknownName(id, { name: id, what: "the id of a module", names: ids })];
    const given = memberOf(services, id);
    if (!isObject(given)) return [noObject(id, given)];
    return Object.keys(given)
      .filter((name) => !SERVICES.includes(name))
      .map((name) => unknownName(`${id}/${name}`, { name, what: "the name of a service", names: SERVICES }));
  });
}

interface Unknown {
  readonly name: string;
  /** What it should be. */
  readonly what: string;
  readonly names: readonly string[];
}

function unknownName(place: string, { name, what, names }: Unknown): StartFinding {
  const expected = `${what} (${names.length === 0 ? "there is none" : names.join(", ")})`;
  const finding = { instancePath: "", keyword: "additionalProperties", expected, actual: shown(name) };
  const hint = didYouMean(name, names);
  return startFinding(place, finding, hint === "" ? "" : `.${hint}`);
}

function noObject(place: string, value: unknown): StartFinding {
  return startFinding(place, {
    instancePath: "",
    keyword: "type",
    expected: "object",
    actual: shown(value),
  });
}
