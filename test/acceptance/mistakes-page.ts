/** docs/mistakes.md: which mistakes the acceptance suite finds, as text. */
import { CONNECTORS, sourcesOf } from "./connector-copies.js";
import { type AuthorMistake, type ConnectorName, MISTAKES, TOPICS, UNSEEN } from "./list-of-mistakes.js";

/** What a run has shown, and what the page says of it. */
export interface Shown {
  /** How the suite has found a mistake, such as ``whole: `acceptance-records-missing` ``; those that it has not are absent. */
  readonly found: ReadonlyMap<AuthorMistake, string>;
  /** With how many seeds each sound connector was tried. */
  readonly seeds: number;
}

const WHAT_THEY_ARE: Readonly<Record<ConnectorName, string>> = {
  "projects-api": "the example: declared, with an auth handler in code",
  helpdesk:
    "all declared: pages by number, offset, cursor, link and header, parents, changes, deletes, actions",
  warehouse: "readers and handlers in code, with settings, a checkpoint, resume points and a `fake.ts`",
  bidding: "imported from a `connector.json`: eleven data objects below each other, signing in by OAuth 2",
};

export function mistakesPage({ found, seeds }: Shown): string {
  const missed = MISTAKES.filter((mistake) => !found.has(mistake));
  const share = Math.floor((found.size / MISTAKES.length) * 100);
  const connectors = CONNECTORS.map((name) => [`[${name}](../${sourcesOf(name)})`, WHAT_THEY_ARE[name]]);
  const topics = Object.entries(TOPICS).flatMap(([topic, mistakes]) => [
    `## ${topic}`,
    table(
      ["what the author did", "where", "found by"],
      mistakes.flatMap((mistake) => {
        const by = found.get(mistake);
        return by === undefined ? [] : [[mistake.what, placeOf(mistake), by]];
      }),
    ),
  ]);
  return `${[
    "# Mistakes that acceptance finds",
    `How much does [\`connectorcli test acceptance\`](testing.md#acceptance) see? It was tried on ${MISTAKES.length} mistakes of the kinds that tired authors make, each made by itself in a connector that is sound. All of them compile. The suite finds ${found.size} of ${MISTAKES.length} (${share} %). In the sound connectors it finds nothing; seeds that were tried with each: ${seeds}.`,
    "Thirty-two of them were written down before anybody knew whether they are found. Of these it found 19 at once; then it learned to find the others, where they do harm and a fake can show it. So a mistake of a kind that stands nowhere on this page may well pass.",
    table(["connector", "what it is"], connectors),
    "The tables say which scenario was the first to find a mistake, and how `connectorcli explain` calls it. A mistake in a reader or a handler is tried with `--object`, one in the client with all data objects. `npm run mistakes` tries all of them again, and `npm run mistakes -- --write` writes this page.",
    ...topics,
    "## Not found",
    table(
      ["what the author did", "where", "why it is not found"],
      missed.map((mistake) => [mistake.what, placeOf(mistake), whyNot(mistake)]),
    ),
    "## What no fake target system knows",
    "A fake is made of the connector, so it believes what a declaration says of the target system: a path, where the records stand, the name of a parameter, the properties of a record and which of them are its key. If such a fact is wrong, the fake is wrong in the same way. For readers and handlers in code, `fake.ts` says these facts a second time, so that a difference shows. For declared ones, `connectorcli read` and a recording of the real target system show it ([testing.md](testing.md)).",
  ].join("\n\n")}\n`;
}

/** What the page says. */
export function shownBy(page: string): Shown {
  const rows = new Map(
    page.split("\n").flatMap((line) => {
      const [, what = "", where = "", by] = /^\| (.*) \| (.*) \| (.*) \|$/.exec(line) ?? [];
      return by === undefined ? [] : [[`${what} ${where}`, by] as const];
    }),
  );
  const found = MISTAKES.flatMap((mistake) => {
    const by = rows.get(`${mistake.what} ${placeOf(mistake)}`);
    return by === undefined || by === whyNot(mistake) ? [] : [[mistake, by] as const];
  });
  return { found: new Map(found), seeds: Number(/tried with each: (\d+)/.exec(page)?.[1] ?? 0) };
}

function whyNot({ what }: AuthorMistake): string {
  return UNSEEN[what] ?? "";
}

function placeOf({ connector, changes }: AuthorMistake): string {
  return `${connector}, \`${changes[0]?.file.split("/").at(-1) ?? ""}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
