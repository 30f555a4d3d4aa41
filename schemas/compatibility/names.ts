/** Names and urls that a connector is addressed by, and parts that came or went (spec §2.6, §2.7). */
import type { Change, ChangeRole } from "./change.js";
import type { MatchedConnector, PartPair } from "./match-parts.js";
import { inPart, partChange } from "./part-change.js";

export function compareNames(matched: MatchedConnector): readonly Change[] {
  return [
    ...connectorNames(matched),
    ...matched.modules.flatMap((module) => addressOf(module, "module")),
    ...matched.dataObjects.flatMap((object) => addressOf(object, "record")),
    ...matched.actions.flatMap((action) => addressOf(action, "action")),
    ...matched.lone.map(({ what, side, pointer, holder }) => {
      const role = roleOf(pointer);
      return side === "old"
        ? partChange("part-removed", { role, what, oldPointer: pointer, newPointer: holder }, {})
        : partChange("part-added", { role, what, oldPointer: holder, newPointer: pointer }, {});
    }),
  ];
}

function connectorNames({
  old,
  new: next,
  what,
  oldPointer,
  newPointer,
}: MatchedConnector): readonly Change[] {
  const part = { role: "connector", what, oldPointer, newPointer } as const;
  const changes: Change[] = [];
  if (old.key !== next.key) {
    const parameters = { before: old.key, after: next.key };
    changes.push(partChange("connector-key-changed", inPart(part, "/key"), parameters));
  }
  if (old.urlPart !== next.urlPart) {
    const parameters = { before: old.urlPart, after: next.urlPart };
    changes.push(partChange("connector-url-changed", inPart(part, "/urlPart"), parameters));
  }
  return changes;
}

function addressOf(
  { old, new: next, ...where }: PartPair<{ readonly urlPart: string; readonly key: string }>,
  role: ChangeRole,
): readonly Change[] {
  const part = { ...where, role };
  const changes: Change[] = [];
  if (old.urlPart !== next.urlPart) {
    const parameters = { before: old.urlPart, after: next.urlPart };
    changes.push(partChange("url-changed", inPart(part, "/urlPart"), parameters));
  }
  if (old.key !== next.key) {
    changes.push(partChange("key-changed", inPart(part, "/key"), { before: old.key, after: next.key }));
  }
  return changes;
}

function roleOf(pointer: string): ChangeRole {
  if (pointer.startsWith("/connectionDefinitions")) return "connection";
  if (pointer.includes("/actions/")) return "action";
  return pointer.includes("/dataObjects/") ? "record" : "module";
}
