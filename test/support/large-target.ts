/** What a target system of any size holds, item by item, without keeping it. */
import { type Item, item } from "./items.js";

export interface State {
  /** Items, before some were deleted. */
  readonly total: number;
  /** Whether every hundredth item has changed. */
  readonly changed: boolean;
  /** Whether every hundredth item, another one, is gone. */
  readonly deleted: boolean;
}

/** The item at `index`, with about 400 bytes as JSON; undefined where it is gone. Keys come in no order. */
export function itemOf(index: number, { changed, deleted }: State): Item | undefined {
  if (deleted && index % 100 === 1) return undefined;
  const scattered = Math.imul(index + 1, 0x9e3779b1) >>> 0;
  return item(scattered, {
    serial_number: `S-${index}`,
    name: changed && index % 100 === 0 ? "second" : "first",
    secret: `s-${scattered}`,
    description: "Concrete works at the northern abutment, second section, with formwork and steel. ",
    amount: index / 8,
    tags: ["site", "concrete", `crew ${index % 40}`],
    site: { place: "Berlin", code: "10115", since: "2024-02-29T10:00:00Z", open: index % 3 === 0 },
    updated_at: "2025-06-30T12:34:56.789Z",
  });
}
