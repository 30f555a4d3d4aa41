/** A default is one number: in the code, in the doc comment of the option, in the pages and in the help of commands. */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect } from "chai";
import { COMMANDS } from "../scripts/commands/command-table.js";
import { inRepository } from "./support/repository.js";

/** A default that a doc comment states, if it is a number, true or false. */
interface StatedDefault {
  readonly name: string;
  readonly value: number | boolean;
  /** The source, from the repository's root. */
  readonly file: string;
}

/** Where the options stand that a page lists. */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  "docs/client.md": ["runtime/client/retry.ts", "runtime/client/network.ts", "runtime/client/pages.ts"],
  "docs/host.md": ["runtime/host/connection-test.ts"],
  "docs/postgres.md": ["runtime/store/postgres/open-store.ts"],
  "docs/cache.md": ["runtime/cache-writer/sync-options.ts", "runtime/store/sqlite/open-store.ts"],
  "docs/running.md": [
    "runtime/action-processor/enqueue-action.ts",
    "runtime/action-processor/processor-options.ts",
    "runtime/action-processor/retry-rules.ts",
    "runtime/cache-writer/sync-options.ts",
  ],
};

/** Names under which the workbench has what a command calls otherwise. */
const RENAMED: Readonly<Record<string, string>> = {
  "max-queued": "maxQueuedActions",
  "load-timeout": "timeoutSeconds",
  timeout: "responseSeconds",
  "sign-in-timeout": "timeoutSeconds",
};

const STATED = readdirSync(inRepository("."), { encoding: "utf8" })
  .filter((folder) => ["generators", "runtime", "schemas", "scripts"].includes(folder))
  .flatMap((folder) =>
    readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => statedDefaults(`${folder}/${name.replaceAll("\\", "/")}`)),
  );

describe("defaults", () => {
  it("that doc comments state are those of the code", () => {
    const numbers = STATED.filter(({ value }) => typeof value === "number");
    expect(numbers.length).to.be.greaterThan(25);
    const wrong = numbers.filter(
      ({ name, value, file }) => !codeDefaults(name, file).includes(Number(value)),
    );
    expect(wrong).to.deep.equal([]);
  });

  for (const [page, sources] of Object.entries(LISTED)) {
    it(`that ${page} names are those that doc comments state`, () => {
      const stated = STATED.filter(({ file }) => sources.includes(file));
      const named = namedDefaults(readFileSync(inRepository(page), "utf8"));
      expect(named).to.not.have.length(0);
      const wrong = named.filter(
        ([name, value]) => !stated.some((option) => option.name === name && option.value === value),
      );
      expect(wrong).to.deep.equal([]);
    });
  }

  it("of retries, time and rates are all listed in docs/client.md", () => {
    const named = namedDefaults(readFileSync(inRepository("docs/client.md"), "utf8")).map(([name]) => name);
    const sources = LISTED["docs/client.md"] ?? [];
    const stated = STATED.filter(({ file, name }) => sources.includes(file) && name !== "first");
    expect(stated.map(({ name }) => name).filter((name) => !named.includes(name))).to.deep.equal([]);
  });

  it("that the help of commands names are those of the workbench", () => {
    const workbench = STATED.filter(({ file }) => file.startsWith("scripts/"));
    const wrong = COMMANDS.flatMap(({ words: command, options }) =>
      Object.entries(options).flatMap(([name, { describe: words }]) => {
        const [, value] = /\(default: (\d+)\)/.exec(words) ?? [];
        const property = RENAMED[name] ?? name;
        const options = workbench.filter((option) => option.name === property);
        const isRight =
          value === undefined ||
          options.length === 0 ||
          options.some((option) => option.value === Number(value));
        return isRight ? [] : [`${command.join(" ")} --${name}: ${words}`];
      }),
    );
    expect(wrong).to.deep.equal([]);
  });
});

function statedDefaults(file: string): readonly StatedDefault[] {
  const text = readFileSync(inRepository(file), "utf8");
  return [
    ...text.matchAll(/@default ([\d_.]+|true|false)\s*(?:\*\/)?\n(?:\s*\*\/\n)?\s*readonly (\w+)\?/g),
  ].map(([, value = "", name = ""]) => ({
    name,
    value: /\d/.test(value) ? Number(value.replaceAll("_", "")) : value === "true",
    file,
  }));
}

/** What the sources of a folder use for an option that is left out: `name = 4`, `name: 4`, `name ?? NAME`. */
function codeDefaults(name: string, file: string): readonly number[] {
  const folder = posix.dirname(file);
  const text = readdirSync(inRepository(folder), { encoding: "utf8" })
    .filter((entry) => entry.endsWith(".ts"))
    .map((entry) => readFileSync(inRepository(`${folder}/${entry}`), "utf8"))
    .join("\n");
  const uses = [...text.matchAll(new RegExp(`\\b${name}(?: =|:| \\?\\?) (?=([\\w*. ]+))`, "g"))];
  return uses.flatMap(([, code = ""]) => {
    const [, constant] = new RegExp(`const ${code.trim()} = ([\\d_*. ]+);`).exec(text) ?? [];
    const product = (constant ?? code).replaceAll("_", "").trim();
    return /^[\d. *]+$/.test(product)
      ? [product.split("*").reduce((all, factor) => all * Number(factor), 1)]
      : [];
  });
}

/** Options of a page with the defaults that it names: in tables, in JSON, in `name` (4), and in 4 records (`name`). */
function namedDefaults(page: string): readonly (readonly [name: string, value: number | boolean])[] {
  const found = [
    ...page.matchAll(/^\| `(?:\w+\.)?(?<name>\w+)` \|.*\| (?<value>[\d,.]+) \|$/gm),
    ...page.matchAll(/^\| `(?<name>\w+)` \| (?<value>[\d,.]+) \|.*\|$/gm),
    ...page.matchAll(/`(?<name>[a-z]\w+)` \((?<value>[\d,]+)(?: (?<unit>seconds))?\)/g),
    ...page.matchAll(/\b(?<value>[\d,]+) (?:(?<unit>hours)|\w+) \(`(?<name>\w+)`\)/g),
  ].map(({ groups }) => {
    const { name = "", value = "", unit }: Readonly<Record<string, string | undefined>> = groups ?? {};
    const factor = unit === "hours" ? 3_600_000 : unit === "seconds" ? 1_000 : 1;
    return [name, Number(value.replaceAll(",", "")) * factor] as const;
  });
  const [, json] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  return [...found, ...(json === undefined ? [] : optionsOf(JSON.parse(json)))];
}

/** Numbers and booleans of nested options by name. A limit that is off by default is shown with a value all the same. */
function optionsOf(options: object): readonly (readonly [name: string, value: number | boolean])[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return optionsOf(value);
    const isOffByDefault = name === "maxCount";
    return isOffByDefault || (typeof value !== "number" && typeof value !== "boolean") ? [] : [[name, value]];
  });
}
