/** What all pages know: where we are, and the overview. */
import { computed, signal } from "@preact/signals";
import { ask, CallError } from "./client.js";
import type { ObjectShape, Overview } from "./shapes.js";

export const PAGES = {
  overview: "Overview",
  records: "Records",
  changes: "Changes",
  rejected: "Rejected",
  runs: "Runs",
  actions: "Actions",
  connection: "Connection",
  try: "Try a page",
} as const;

export type PageName = keyof typeof PAGES;

interface Route {
  readonly page: PageName;
  readonly query: URLSearchParams;
}

export const route = signal<Route>(routeOf(location.hash));
export const overview = signal<Overview | undefined>(undefined);
/** Why nothing can be shown. */
export const trouble = signal<CallError | undefined>(undefined);

/** All data objects, in the order of the connector. */
export const objects = computed<readonly ObjectShape[]>(
  () => overview.value?.modules.flatMap((module) => module.objects) ?? [],
);

/** The data object that the address names, or the first one. */
export const chosenObject = computed<ObjectShape | undefined>(() => {
  const wanted = route.value.query.get("object");
  return objects.value.find(({ dataPath }) => dataPath === wanted) ?? objects.value[0];
});

addEventListener("hashchange", () => {
  route.value = routeOf(location.hash);
  // Whoever listens hears that another page is there.
  document.getElementById("main")?.focus();
});

function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\//, "").split("?", 2);
  const page = Object.hasOwn(PAGES, path) ? (path as PageName) : "overview";
  return { page, query: new URLSearchParams(query) };
}

export function hrefOf(page: PageName, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? `#/${page}` : `#/${page}?${new URLSearchParams(given)}`;
}

/** Reads the overview anew. */
export async function refresh(): Promise<void> {
  try {
    overview.value = await ask<Overview>("overview");
    trouble.value = undefined;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    trouble.value = error;
  }
}

const REFRESH_MS = 4_000;

/** Keeps the overview young while somebody looks at the page. */
export function keepFresh(): void {
  const again = () => {
    setTimeout(again, REFRESH_MS);
    if (document.visibilityState === "visible") void refresh();
  };
  setTimeout(again, REFRESH_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void refresh();
  });
}
