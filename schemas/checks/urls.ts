/** Url parts that are not fit for an address, or that two resources of one place share (spec §1.7). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectorModel } from "../model/connector-model.js";
import { modulesOf } from "./model-parts.js";
import { CONNECTOR_PLACE, found, type ModelPlace } from "./place.js";

/** What is wrong with the url parts and keys of connector, modules, data objects and actions. */
export function checkUrls(model: ConnectorModel): readonly Diagnostic[] {
  const modules = modulesOf(model).map(
    ({ module, place, objects }): Addressed => ({
      kind: "module",
      id: module.id,
      name: module.id,
      url: `${module.urlPart}/${module.version}`,
      urlPart: module.urlPart,
      key: module.key,
      place,
      inside: objects.map(({ object, place: objectPlace, actions }) => ({
        ...resource("data object", object, objectPlace),
        inside: actions.map(({ action, place: actionPlace }) => resource("action", action, actionPlace)),
      })),
    }),
  );
  return checkResource({
    kind: "connector",
    id: "",
    name: model.name,
    url: model.urlPart,
    urlPart: model.urlPart,
    key: model.key,
    place: CONNECTOR_PLACE,
    inside: modules,
  });
}

/** A resource as the platform addresses it. */
interface Addressed {
  readonly kind: string;
  /** Two resources with one id are duplicates, which is a finding of its own. */
  readonly id: string;
  readonly name: string;
  /** What must differ from the resources beside it. */
  readonly url: string;
  readonly urlPart: string;
  readonly key: string;
  readonly place: ModelPlace;
  readonly inside: readonly Addressed[];
}

function resource(
  kind: string,
  { className, urlPart, key }: { readonly className: string; readonly urlPart: string; readonly key: string },
  place: ModelPlace,
): Addressed {
  return { kind, id: className, name: className, url: urlPart, urlPart, key, place, inside: [] };
}

function checkResource(given: Addressed): readonly Diagnostic[] {
  return [...unsafe(given), ...given.inside.flatMap(checkResource), ...collisions(given)];
}

function unsafe({ urlPart, key, place }: Addressed): readonly Diagnostic[] {
  const report = (field: string, url: string) =>
    isSafe(url) ? [] : [found("name-url-unsafe", place, { field, url, what: place.what })];
  // One of the two is made from the other where they are equal.
  return key === urlPart
    ? report("url part", urlPart)
    : [...report("url part", urlPart), ...report("key", key)];
}

/** Empty names are reported as such. */
function isSafe(url: string): boolean {
  return url.trim() === "" || (/^[\w.-]+$/.test(url) && !/^\.+$/.test(url));
}

function collisions({ inside, place }: Addressed): readonly Diagnostic[] {
  const firsts = new Map<string, Addressed>();
  return inside.flatMap((second) => {
    const url = second.url.toLowerCase();
    const first = firsts.get(url);
    if (first === undefined) firsts.set(url, second);
    if (first === undefined || first.id === second.id || second.urlPart === "") return [];
    const parameters = { kind: second.kind, first: first.name, second: second.name, what: place.what };
    return [found("name-url-collision", second.place, { ...parameters, url: second.urlPart })];
  });
}
