import { expect } from "chai";
import { withoutFollowUps } from "../../schemas/checks/follow-ups.js";
import { applySilences } from "../../schemas/checks/silences.js";
import { CATALOGUE, type DiagnosticCode } from "../../schemas/diagnostics/catalogue.js";
import type { RuleExample } from "../../schemas/diagnostics/examples/example.js";
import { exampleOf } from "../../schemas/diagnostics/examples.js";
import { buildConnectorModel, checkModel, type Diagnostic } from "../../schemas/model/index.js";
import { checkProject } from "../../scripts/project-checks/check-project.js";
import { readSeverities } from "../../scripts/project-checks/severities.js";
import { loadModules, typeErrors, withProjects } from "../support/author-projects.js";
import { exampleProject } from "../support/example-project.js";
import { PATIENCE } from "../support/repository.js";

const CODES = Object.keys(CATALOGUE) as readonly DiagnosticCode[];

/** Codes without an example: what they speak of is not an author's code, but files, arguments and what lies there. */
const WITHOUT: readonly RegExp[] = [
  /^(?:file|files|json|project|import|against|scaffold|settings|run|sign-in)-/,
  /^(?:format-mismatch|edit-by-hand)$/,
  // Both compare with a file that is there.
  /^(?:extract-stale|object-vanished)$/,
];

interface Tried {
  readonly code: DiagnosticCode;
  readonly example: RuleExample;
  readonly text: string;
}

const EXAMPLES = CODES.flatMap((code) => {
  const example = exampleOf(code);
  return example === undefined ? [] : [{ code, example }];
});

describe("the examples of rules", () => {
  let bad: ReadonlyMap<DiagnosticCode, readonly Diagnostic[]>;
  let good: typeof bad;

  before(async function () {
    this.timeout(PATIENCE);
    bad = await findingsOf(EXAMPLES.map(({ code, example }) => ({ code, example, text: example.bad })));
    good = await findingsOf(EXAMPLES.map(({ code, example }) => ({ code, example, text: example.good })));
  });

  for (const { code } of EXAMPLES) {
    it(`show ${code}, and how it should be`, () => {
      expect(bad.get(code)?.map((found) => found.code)).to.include(code);
      expect(good.get(code)?.map((found) => `${found.code}: ${found.message}`)).to.deep.equal([]);
    });
  }

  it("are there for every rule but those on files and arguments", () => {
    const without = CODES.filter((code) => exampleOf(code) === undefined);
    const unreasoned = without.filter((code) => !WITHOUT.some((pattern) => pattern.test(code)));
    expect(unreasoned).to.deep.equal([]);
    const needless = WITHOUT.filter((pattern) => !without.some((code) => pattern.test(code)));
    expect(needless).to.deep.equal([]);
  });

  it("compile where they are as they should be", async function () {
    this.timeout(PATIENCE);
    const schemas = EXAMPLES.filter(({ example }) => !/[./]/.test(example.part));
    const projects = schemas.map(({ example }) => exampleProject(example.part, example.good));
    expect(await withProjects(projects, (folder) => typeErrors(folder))).to.equal("");
  });
});

async function findingsOf(
  tried: readonly Tried[],
): Promise<ReadonlyMap<DiagnosticCode, readonly Diagnostic[]>> {
  const projects = tried.map(({ example, text }) => exampleProject(example.part, text));
  const loaded = await withProjects(projects, (_, folders) =>
    loadModules(folders.map((folder) => `${folder}/connector.ts`)),
  );
  return new Map(
    tried.map(({ code, example, text }, index) => {
      const { model, diagnostics, silences } = buildConnectorModel(loaded[index]?.["connector"]);
      const all = [...diagnostics, ...withoutFollowUps(diagnostics, checkModel(model))];
      const files = /[./]/.test(example.part) ? [{ path: example.part, file: `/${example.part}`, text }] : [];
      const settings =
        example.part === "package.json" ? readSeverities(text, "/package.json").diagnostics : [];
      const { findings } = applySilences(all, silences);
      return [code, [...findings, ...checkProject({ files, model }), ...settings]];
    }),
  );
}
