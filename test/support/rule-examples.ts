/** Examples of rules as projects: their models, and what they declare. */
import { emitFiles, GEN_EMITTERS } from "../../generators/emitters/emitters.js";
import { collectDeclarations } from "../../runtime/declared/collected.js";
import { collectDefinitions, definedAt } from "../../schemas/authoring/definition.js";
import type { RuleExample } from "../../schemas/diagnostics/rules/rule.js";
import { buildConnectorModel, type ConnectorModel } from "../../schemas/entries/model.js";
import { type DeclaredService, declaredServices } from "../../scripts/connector-run/declared-services.js";
import { loadModules, withProjects } from "./author-project.js";
import { exampleProject } from "./connector-sources.js";

/** One of the two texts of an example. */
export interface TriedExample {
  readonly example: RuleExample;
  readonly text: string;
}

/** What each text is a part of, built, with the readers and handlers that it declares. */
export async function loadExamples(tried: readonly TriedExample[]) {
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
  return built.map((one, index) => ({ ...one, declared: declared[index] ?? [] }));
}

/** What examples import, before them. */
const IMPORTS = `import { defineHandler, defineReader, from, setting } from "connectorcli/runtime";
import { Building } from "../../../generated/app/building.js";
import { CreateSite, Site } from "../../../generated/app/site.js";
import { Visit } from "../../../generated/app/visit.js";
`;

/** What each example declares, loaded beside what is generated for its connector. */
async function declaredIn(
  tried: readonly TriedExample[],
  models: readonly ConnectorModel[],
): Promise<readonly (readonly DeclaredService[])[]> {
  const declares = ({ text }: TriedExample) => /define(?:Reader|Handler)\(/.test(text);
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
