import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { build } from "esbuild";
import { DIAGNOSTIC_CODES } from "../../schemas/diagnostics/codes.js";
import type { checkModel, DiagnosticCode } from "../../schemas/entries/model.js";

import { CATALOGUE } from "../../scripts/project-checks/catalogue.js";
import type { checkProject } from "../../scripts/project-checks/check-project.js";
import { codesOf, connectorFindings, withRules } from "../support/checks.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";
import { loadExamples } from "../support/rule-examples.js";
import { CONNECTION_CASES } from "./cases/connections.js";
import { CONSTRAINT_CASES } from "./cases/constraints.js";
import { KEY_CASES } from "./cases/keys.js";
import { NAME_CASES } from "./cases/names.js";
import { SCHEMA_CASES } from "./cases/schemas.js";

const CASES = [...KEY_CASES, ...NAME_CASES, ...SCHEMA_CASES, ...CONSTRAINT_CASES, ...CONNECTION_CASES];

interface Mutant {
  readonly file: string;
  readonly rule: string;
}

/** Floors of rules: where they are, and where they are put together. */
const MODEL = { folder: "dist/schemas/checks", entry: "engine.js" };
const PROJECT = { folder: "dist/scripts/project-checks", entry: "check-project.js" };

describe("a rule that finds nothing", () => {
  let loaded: Awaited<ReturnType<typeof loadExamples>>;
  before(async function () {
    this.timeout(SLOW_TEST_MS);
    loaded = await loadExamples(TRIED);
  });

  it("is seen by a case of the rules on models, whichever it is", async function () {
    this.timeout(SLOW_TEST_MS);
    const survivors = await survivorsIn(MODEL, async ({ checkModel: rules }) =>
      withRules(rules as typeof checkModel, () =>
        CASES.every(({ code, wrong }) => codesOf(wrong()).includes(code)),
      ),
    );
    expect(survivors).to.deep.equal([]);
  });

  it("is seen by an example of the rules on code, whichever it is", async function () {
    this.timeout(SLOW_TEST_MS);
    const survivors = await survivorsIn(PROJECT, async ({ checkProject: rules }) =>
      findsAllExamples(rules as typeof checkProject, loaded),
    );
    expect(survivors).to.deep.equal([]);
  });

  it("is not taken for one where all rules are there", async () => {
    expect(connectorFindings({ connections: [] }).map(({ code }) => code)).to.deep.equal(["connection-none"]);
    for (const floor of [MODEL, PROJECT]) expect(mutantsIn(floor).length).to.be.greaterThan(5);
    const { checkProject: rules } = await load(PROJECT);
    expect(findsAllExamples(rules as typeof checkProject, loaded)).to.equal(true);
  });
});

/** The rules without which every case still finds what it should. */
async function survivorsIn(
  floor: typeof MODEL,
  findsAll: (rules: Readonly<Record<string, unknown>>) => Promise<boolean>,
): Promise<readonly string[]> {
  const survivors: string[] = [];
  for (const mutant of mutantsIn(floor)) {
    if (await findsAll(await load(floor, mutant))) survivors.push(`${mutant.file}: ${mutant.rule}`);
  }
  return survivors;
}

function mutantsIn({ folder, entry }: typeof MODEL): readonly Mutant[] {
  return readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js") && file !== entry)
    .flatMap((file) =>
      [...readFileSync(inRepository(`${folder}/${file}`), "utf8").matchAll(RULE)].map(([, rule = ""]) => ({
        file,
        rule,
      })),
    );
}

const RULE = /^(?:export )?function (check\w+)\(.*\) \{$/gm;

/** The rules as one module, with the body of one of them emptied. */
async function load({ folder, entry }: typeof MODEL, mutant?: Mutant) {
  const { outputFiles } = await build({
    entryPoints: [inRepository(`${folder}/${entry}`)],
    ...{ bundle: true, format: "esm", platform: "node", write: false, logLevel: "silent" },
    mainFields: ["module", "main"],
    // The module has no place of its own, from which packages could be loaded.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(inRepository("dist/")).href) },
    plugins: [
      {
        name: "mutant",
        setup: (bundler) =>
          bundler.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
            if (mutant === undefined || file !== path.normalize(inRepository(`${folder}/${mutant.file}`)))
              return null;
            const contents = readFileSync(file, "utf8").replace(RULE, (head, rule) =>
              rule === mutant.rule ? `${head} return [];` : head,
            );
            return { contents, loader: "js" };
          }),
      },
    ],
  });
  const code = Buffer.from(outputFiles?.[0]?.contents ?? []).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)) as Readonly<Record<string, unknown>>;
}

/** The examples of the rules on code, as they should not be. */
const EXAMPLES = DIAGNOSTIC_CODES.flatMap((code) => {
  const { example } = CATALOGUE[code];
  return example?.part.endsWith(".ts") === true ? [{ code, example, text: example.wrong }] : [];
});

/** What no example shows: each rule has one. */
function handler(code: DiagnosticCode, more: string): (typeof EXAMPLES)[number][] {
  const { example } = CATALOGUE["handler-idempotency-missing"];
  const text = `export const createSiteHandler = defineHandler(CreateSite, { call: "POST /sites", ${more} });`;
  return example === undefined ? [] : [{ code, example, text }];
}

const TRIED = [
  ...EXAMPLES,
  ...handler("declared-property-unknown", 'change: "delete", key: { nothing: 1 }'),
  ...handler("handler-cache-untouched", 'record: "$"'),
];

function findsAllExamples(
  check: typeof checkProject,
  loaded: Awaited<ReturnType<typeof loadExamples>>,
): boolean {
  const stale = check({
    ...{ files: [], extracted: "new", model: loaded[0]?.model },
    committed: { file: "/connector.json", text: "old" },
  });
  const found = TRIED.every(({ code, example: { part }, text }, index) => {
    const { model, declared } = loaded[index] ?? {};
    const files = [{ path: part, file: `/${part}`, text }];
    return codesOf(check({ files, model, declared })).includes(code);
  });
  return found && codesOf(stale).includes("extract-stale");
}
