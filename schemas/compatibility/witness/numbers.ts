/** Numbers for a schema: inside its limits first, then on and just beyond them. */
import type { JsonObject } from "../json.js";

const LIMITS = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];

export function numbersFor(node: JsonObject): readonly number[] {
  const limits = LIMITS.map((name) => node[name]).filter((value) => typeof value === "number");
  const step =
    typeof node["multipleOf"] === "number" && node["multipleOf"] > 0 ? node["multipleOf"] : undefined;
  const near = limits.flatMap((limit) => [limit, limit + 1, limit - 1, limit + 0.5, limit - 0.5]);
  const stepped = step === undefined ? [] : [...limits, 0, 1].flatMap((limit) => multiplesNear(limit, step));
  const all = [...stepped, 0, ...near, 1, -1, 1.5, 2147483648, 2, 3];
  const inside = all.filter((value) => isInside(value, node));
  return [...new Set([...inside, ...all])].filter(Number.isFinite);
}

function multiplesNear(limit: number, step: number): readonly number[] {
  const below = Math.floor(limit / step) * step;
  return [below, below + step, below - step, below + 2 * step];
}

function isInside(value: number, node: JsonObject): boolean {
  const [least, above, most, under] = LIMITS.map((name) => node[name]);
  return (
    (typeof least !== "number" || value >= least) &&
    (typeof above !== "number" || value > above) &&
    (typeof most !== "number" || value <= most) &&
    (typeof under !== "number" || value < under)
  );
}
