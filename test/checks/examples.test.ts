import { expect } from "chai";
import { emitFiles, GEN_EMITTERS } from "../../generators/emitters/emitters.js";
import { collectDeclarations } from "../../runtime/declared/collected.js";
import { collectDefinitions, definedAt } from "../../schemas/authoring/definition.js";
import { applySilences, withoutFollowUps } from "../../schemas/checks/engine.js";
import { DIAGNOSTIC_CODES as CODES } from "../../schemas/diagnostics/codes.js";
import type { RuleExample } from "../../schemas/diagnostics/rules/rule.js";
import {
  buildConnectorModel,
  type ConnectorModel,
  checkModel,
  type Diagnostic,
  type DiagnosticCode,
} from "../../schemas/entries/model.js";
import { type DeclaredService, declaredServices } from "../../scripts/connector-run/declared-services.js";
import { CATALOGUE } from "../../scripts/project-checks/catalogue.js";
import { checkProject } from "../../scripts/project-checks/check-project.js";
import { readSeverities } from "../../scripts/project-checks/severities.js";
import { loadModules, typeErrors, withProjects } from "../support/author-project.js";
import { exampleProject } from "../support/connector-sources.js";
import { SLOW_TEST_MS } from "../support/repository.js";

/** Codes without an example: what they speak of is not an author's code, but files, arguments and what lies there. */
const WITHOUT: readonly RegExp[] = [
  /^(?:file|files|json|project|import|openapi|build|against|scaffold|settings|store|fake|run|sign-in)-/,
  // What an older project has left to do; no rule of a new one.
  /^migration-/,
  /^(?:format-mismatch|edit-by-hand)$/,
  // They speak of files that are there, or are not.
  /^(?:extract-stale|object-vanished|registration-incomplete|declared-unread)$/,
];

interface Tried {
  readonly code: DiagnosticCode;
  readonly example: RuleExample;
  readonly text: string;
}

const EXAMPLES = CODES.flatMap((code) => {
  const example = CATALOGUE[code].example;
  return example === undefined ? [] : [{ code, example }];
});

describe("the examples of rules", () => {
  let wrong: ReadonlyMap<DiagnosticCode, readonly Diagnostic[]>;
  let right: typeof wrong;

  before(async function () {
    this.timeout(SLOW_TEST_MS);
    wrong = await findingsOf(EXAMPLES.map(({ code, example }) => ({ code, example, text: example.wrong })));
    right = await findingsOf(EXAMPLES.map(({ code, example }) => ({ code, example, text: example.right })));
  });

  for (const { code } of EXAMPLES) {
    it(`show ${code}, and how it should be`, () => {
      expect(wrong.get(code)?.map((found) => found.code)).to.include(code);
      expect(right.get(code)?.map((found) => `${found.code}: ${found.message}`)).to.deep.equal([]);
    });
  }

  it("are there for every rule but those on files and arguments", () => {
    const without = CODES.filter((code) => CATALOGUE[code].example === undefined);
    const unreasoned = without.filter((code) => !WITHOUT.some((pattern) => pattern.test(code)));
    expect(unreasoned).to.deep.equal([]);
    const needless = WITHOUT.filter((pattern) => !without.some((code) => pattern.test(code)));
    expect(needless).to.deep.equal([]);
  });

  it("compile where they are as they should be", async function () {
    this.timeout(SLOW_TEST_MS);
    const schemas = EXAMPLES.filter(({ example }) => !/[./]/.test(example.part));
    const projects = schemas.map(({ example }) => exampleProject(example.part, example.right));
    expect(await withProjects(projects, (folder) => typeErrors(folder))).to.equal("");
  });
});

async function findingsOf(
  tried: readonly Tried[],
): Promise<ReadonlyMap<DiagnosticCode, readonly Diagnostic[]>> {
  const projects = tried.map(({ example, text }) => exampleProject(example.part, text));
  const definitions = collectDefinitions();
  const loaded = await withProjects(projects, (_, folders) =>
    loadModules(folders.map((folder) => `${folder}/connector.ts`)),
  );
  const built = tried.map((_, index) => {
    const own = definitions.filter((definition) => definedAt(definition)?.stack?.includes(`/${index}.mjs`));
    return buildConnectorModel(loaded[index]?.["connector"], own);
  });
  const declared = await declaredIn(
    tried,
    built.map(({ model }) => model),
  );
  return new Map(
    tried.map(({ code, example, text }, index) => {
      const { model, diagnostics, silences, unlisted } = built[index] as (typeof built)[number];
      const all = [...diagnostics, ...withoutFollowUps(diagnostics, checkModel(model))];
      const files = /[./]/.test(example.part) ? [{ path: example.part, file: `/${example.part}`, text }] : [];
      const settings =
        example.part === "package.json" ? readSeverities(text, "/package.json").diagnostics : [];
      const { findings } = applySilences(all, silences);
      const left = unlisted.map(({ finding }) => finding);
      return [
        code,
        [...findings, ...left, ...checkProject({ files, model, declared: declared[index] }), ...settings],
      ];
    }),
  );
}

/** What examples import, before them. */
const IMPORTS = `import { defineHandler, defineReader, from, setting } from "connectorcli/runtime";
import { Building } from "../../../generated/app/building.js";
import { CreateSite, Site } from "../../../generated/app/site.js";
import { Visit } from "../../../generated/app/visit.js";
`;

/** What each example declares, loaded beside what is generated for its connector. */
async function declaredIn(
  tried: readonly Tried[],
  models: readonly ConnectorModel[],
): Promise<readonly (readonly DeclaredService[])[]> {
  const declares = ({ text }: Tried) => /define(?:Reader|Handler)\(/.test(text);
  const declaring = tried.filter(declares);
  const projects = declaring.map((one) => [
    ...emitFiles(models[tried.indexOf(one)] as ConnectorModel, GEN_EMITTERS),
    { path: one.example.part, content: IMPORTS + one.text },
  ]);
  const collected = collectDeclarations();
  await withProjects(projects, (_, folders) =>
    loadModules(folders.map((folder, index) => `${folder}/${declaring[index]?.example.part}`)),
  );
  return tried.map((one) => {
    const at = `/${declaring.indexOf(one)}.mjs`;
    const own = collected.filter(({ declaredAt }) => declaredAt.stack?.includes(at));
    return declaredServices(own, undefined, () => undefined);
  });
}
