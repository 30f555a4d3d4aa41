/** What the platform makes of a data object or an action: its endpoint, its place among the actions. */
import type { Change } from "./change.js";
import type { MatchedConnector } from "./match-parts.js";
import { type ChangedPart, inPart, partChange } from "./part-change.js";

export function compareSwitches({ dataObjects, actions }: MatchedConnector): readonly Change[] {
  return [
    ...dataObjects.flatMap(({ old, new: next, ...where }) =>
      switched({ ...where, role: "record" }, "createEndpoint", old.createEndpoint, next.createEndpoint),
    ),
    ...actions.flatMap(({ old, new: next, ...where }) =>
      switched({ ...where, role: "action" }, "createRtap", old.createRtap, next.createRtap),
    ),
  ];
}

function switched(part: ChangedPart, name: string, before: boolean, after: boolean): readonly Change[] {
  if (before === after) return [];
  const code = after ? "switched-on" : "switched-off";
  return [partChange(code, inPart(part, `/${name}`), { switch: name })];
}
