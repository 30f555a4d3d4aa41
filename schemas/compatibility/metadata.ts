/** Words for people, which no program depends on. */
import type { Change, ChangeRole } from "./change.js";
import type { MatchedConnector, PartPair } from "./match-parts.js";
import { inPart, partChange } from "./part-change.js";

export function compareMetadata(matched: MatchedConnector): readonly Change[] {
  return [
    ...words(matched, "connector"),
    ...matched.connections.flatMap(connectionWords),
    ...matched.modules.flatMap((module) => [...words(module, "module"), ...serviceNames(module)]),
    ...matched.dataObjects.flatMap((object) => words(object, "record")),
    ...matched.actions.flatMap((action) => words(action, "action")),
  ];
}

type Texts = readonly (readonly [field: string, before: string, after: string, pointer: string])[];

function words(
  { old, new: next, ...where }: PartPair<{ readonly name: string; readonly description: string }>,
  role: ChangeRole,
): readonly Change[] {
  return changed({ ...where, role }, [
    ["name", old.name, next.name, "/name"],
    ["description", old.description, next.description, "/description"],
  ]);
}

function connectionWords({
  old,
  new: next,
  ...where
}: MatchedConnector["connections"][number]): readonly Change[] {
  return changed({ ...where, role: "connection" }, [
    ["title", old.title, next.title, "/name"],
    ["description", old.description, next.description, "/description"],
  ]);
}

/** A service is started by its type; its name follows from those of connector and module. */
function serviceNames({ old, new: next, ...where }: MatchedConnector["modules"][number]): readonly Change[] {
  return changed(
    { ...where, role: "module" },
    old.services.map((service, index) => {
      const after = next.services[index]?.name ?? "";
      return [`name of service ${service.type}`, service.name, after, `/services/${index}/name`] as const;
    }),
  );
}

function changed(part: Parameters<typeof inPart>[0], texts: Texts): readonly Change[] {
  return texts
    .filter(([, before, after]) => before !== after)
    .map(([field, , , pointer]) => partChange("metadata-changed", inPart(part, pointer), { field }));
}
