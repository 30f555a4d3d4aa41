/** What all pages know: where we are, and the overview. */
import { computed, signal } from "@preact/signals";
import { ask, CallError, lookAt } from "./client.js";
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

/** Those of a console that shows a database. */
export const DATABASE_PAGES = {
  workspaces: "Workspaces",
  schedules: "Schedules",
  workers: "Workers",
} as const;
const ALL_PAGES = { ...PAGES, ...DATABASE_PAGES };

export type PageName = keyof typeof ALL_PAGES;

export function titleOf(page: PageName): string {
  return ALL_PAGES[page];
}

interface Route {
  readonly page: PageName;
  readonly query: URLSearchParams;
}

export const route = signal<Route>(routeOf(location.hash));
export const overview = signal<Overview | undefined>(undefined);
/** Counts how often the overview was read: what has to be young is asked for again with it. */
export const beat = signal(0);
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

/** The workspace that the address names; undefined for the one that the console shows first. */
export const chosenWorkspace = computed(() => route.value.query.get("workspace") ?? undefined);
lookAt(chosenWorkspace.value);

/** The name of a data object, as commands take it. */
export function nameOf(dataPath: string): string {
  return objects.value.find((object) => object.dataPath === dataPath)?.name ?? dataPath;
}

addEventListener("hashchange", () => {
  const before = chosenWorkspace.value;
  const next = routeOf(location.hash);
  lookAt(next.query.get("workspace") ?? undefined);
  route.value = next;
  if (chosenWorkspace.value !== before) void refresh();
});

function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\//, "").split("?", 2);
  const page = Object.hasOwn(ALL_PAGES, path) ? (path as PageName) : "overview";
  return { page, query: new URLSearchParams(query) };
}

/** The address of a page: of the same workspace, unless `query` names another one. */
export function hrefOf(
  page: PageName,
  query: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): string {
  const given = Object.entries({ workspace: chosenWorkspace.value, ...query }).flatMap(([name, value = []]) =>
    [value].flat().map((one) => [name, one]),
  );
  return given.length === 0 ? `#/${page}` : `#/${page}?${new URLSearchParams(given)}`;
}

/** Reads the overview anew. */
export async function refresh(): Promise<void> {
  const workspace = chosenWorkspace.value;
  try {
    const read = await ask<Overview>("overview");
    // The answer may be about the workspace that was shown before.
    if (workspace !== chosenWorkspace.value) return;
    if (workspace === undefined) stayAt(read.database?.workspace?.name);
    overview.value = read;
    trouble.value = undefined;
    beat.value++;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    trouble.value = error;
  }
}

/** What is done on the page is about the workspace that it shows, whichever is the first one by then. */
function stayAt(workspace: string | undefined): void {
  if (workspace === undefined) return;
  const query = new URLSearchParams(route.value.query);
  query.set("workspace", workspace);
  history.replaceState(null, "", `#/${route.value.page}?${query}`);
  lookAt(workspace);
  route.value = routeOf(location.hash);
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
