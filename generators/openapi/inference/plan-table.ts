/** A plan as lines of text: what would be made, what is undecided, what is left out. */
import { escapeControls } from "../../../schemas/diagnostics/diagnostic.js";
import type { DecisionView, ObjectView, PlanView } from "./plan-view.js";

/** The lines of a plan. `?` marks what is undecided, `~` what the first answer confirms. */
export function planLines({ connections, objects, leftOut }: PlanView): readonly string[] {
  const decided = objects.filter(({ isDecided }) => isDecided);
  const undecided = objects.filter(({ isDecided }) => !isDecided);
  return [
    ...connections.map(decisionLine),
    "",
    `Data objects: ${decided.length}`,
    ...decided.flatMap(objectLines),
    ...(undecided.length === 0 ? [] : ["", `Undecided: ${undecided.length}`]),
    ...undecided.flatMap(objectLines),
    ...(leftOut.length === 0 ? [] : ["", `Left out: ${leftOut.length}`]),
    ...leftOut.map(({ operation, reason, places }) => `  ${operation}: ${reason}${placesText(places)}`),
  ].map(escapeControls);
}

function objectLines({ name, list, places, decisions, others, writes }: ObjectView): readonly string[] {
  return [
    `  ${name}: ${list}${placesText(places)}`,
    ...decisions.map((decision) => `  ${decisionLine(decision)}`),
    ...(others.length === 0 ? [] : [`    also listed by ${others.join(", ")}`]),
    ...(writes.length === 0 ? [] : [`    writes: ${writes.join(", ")}`]),
  ];
}

const MARKS = { sure: " ", middle: "~", ask: "?" } as const;

function decisionLine({ about, state, value, evidence, places }: DecisionView): string {
  return `${MARKS[state]} ${about}: ${value === "" ? "" : `${value}: `}${evidence}${placesText(places)}`;
}

/** ` (openapi.yaml:12, :40)`: a file is named once. */
export function placesText(places: readonly string[]): string {
  if (places.length === 0) return "";
  const shown = places.map((place, index) => {
    const [file, line] = split(place);
    return index > 0 && split(places[index - 1] ?? "")[0] === file ? `:${line}` : place;
  });
  return ` (${shown.join(", ")})`;
}

function split(place: string): readonly [file: string, line: string] {
  const colon = place.lastIndexOf(":");
  return [place.slice(0, colon), place.slice(colon + 1)];
}
