/** What the scaffolding commands do, without a command line: each adds to a project, or leaves it as it was. */
import path from "node:path";
import { FAKE_FILE } from "../../generators/layout.js";
import { sdkFindings } from "../../generators/migration/sdk-version.js";
import {
  actionScaffold,
  type ClientNames,
  clientScaffold,
  connectorScaffold,
  dataObjectScaffold,
  moduleScaffold,
  type NewAction,
  type NewClient,
  type NewConnector,
  type NewDataObject,
  type NewModule,
  namesOfClient,
  type Scaffold,
  type ScaffoldSource,
  unlistedAction,
  unlistedObject,
} from "../../generators/scaffolds/index.js";
import { recoverWrites } from "../../generators/writer/transaction.js";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { packageVersion } from "../system/package-files.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";
import { readTextIfExists } from "../system/read-text.js";
import {
  absolutePaths,
  type ChangeOptions,
  type ChangeResult,
  changeProject,
  newProblems,
  type OpenProject,
  projectSources,
  writeConfirmed,
} from "./change-project.js";

/** How to scaffold. */
export interface ScaffoldOptions {
  /** Undoes the scaffold if it is aborted before the scaffold is confirmed. */
  readonly signal?: AbortSignal | undefined;
}

/** What a scaffold wrote. */
export interface ScaffoldResult extends ChangeResult {
  /** What the author does next, a sentence or a command each. */
  readonly next: readonly string[];
}

const NOT_ADDED = "what was added is not part of the connector";

/** Adds a module to a project. */
export async function addModule(
  project: OpenProject,
  wanted: NewModule,
  { signal }: ScaffoldOptions = {},
): Promise<ScaffoldResult> {
  const confirm = (after: ConnectorModel | undefined) =>
    after?.modules.some(({ id }) => id === wanted.id) === true ? undefined : NOT_ADDED;
  const result = await changeProject(project, moduleScaffold(wanted, project), { confirm, signal });
  return { ...result, next: [`npx connectorcli data-object new --module-id ${wanted.id} --name <Name>`] };
}

/**
 * Adds a data object with its reader to a module. If the object is defined and has no reader, it adds the reader; if no
 * module lists the definition yet, it lists it first.
 */
export async function addDataObject(
  project: OpenProject,
  wanted: NewDataObject,
  { signal }: ScaffoldOptions = {},
): Promise<ScaffoldResult> {
  const { moduleId, name } = wanted;
  const result = await addPart(project, {
    // A sample is for an object that is not defined yet.
    unlisted: (source) => (wanted.from === undefined ? unlistedObject(wanted, source) : undefined),
    scaffold: (source) => dataObjectScaffold(wanted, source),
    confirm: (after) => (dataObjectOf(after, moduleId, name) === undefined ? NOT_ADDED : undefined),
    signal,
  });
  const isNew = result.files.some(({ step, file }) => step === "create" && file.path.startsWith("schemas/"));
  const list = wanted.list === undefined ? "the list in its reader" : "how its reader declares the list";
  const schema =
    wanted.from === undefined
      ? "Write its properties and keys into the schema module"
      : "Describe its properties in the schema module, and compare what its comments say with the target system";
  const next = [
    `${isNew ? `${schema}; adapt` : "Adapt"} ${list}; then: npm run gen`,
    ...(wanted.code === true
      ? [`Say in ${FAKE_FILE} how the list of ${name} is asked for, as its reader does`]
      : []),
    `npx connectorcli action new --module-id ${moduleId} --object-name ${name} --name Create`,
    ...connectionSteps(project.model),
  ];
  return { ...result, next };
}

/**
 * Adds an action with its handler to a data object. If the action is defined and has no handler, it adds the handler; if
 * no module lists the definition yet, it lists it first.
 */
export async function addAction(
  project: OpenProject,
  wanted: NewAction,
  { signal }: ScaffoldOptions = {},
): Promise<ScaffoldResult> {
  const { moduleId, objectName, name } = wanted;
  const result = await addPart(project, {
    unlisted: (source) => unlistedAction(wanted, source),
    scaffold: (source) => actionScaffold(wanted, source),
    confirm: (after) =>
      dataObjectOf(after, moduleId, objectName)?.actions.some((action) => action.name === name) === true
        ? undefined
        : NOT_ADDED,
    signal,
  });
  const next = [
    "Adapt the input and output of the action, and its handler; then: npm run gen",
    ...connectionSteps(project.model),
  ];
  return { ...result, next };
}

interface NewPart extends Pick<ChangeOptions, "confirm" | "signal"> {
  /** What lists the part if it is defined and not listed; undefined if it is not. */
  readonly unlisted: (source: ScaffoldSource) => Scaffold | undefined;
  /** What the part needs. */
  readonly scaffold: (source: ScaffoldSource) => Scaffold;
}

/** Adds a part. One that is defined and not listed is listed first: what it needs follows from its definition. */
async function addPart(
  project: OpenProject,
  { unlisted, scaffold, ...options }: NewPart,
): Promise<ChangeResult> {
  const listing = unlisted(project);
  if (listing === undefined) return changeProject(project, scaffold(project), options);
  const listed = await changeProject(project, listing, options);
  if (hasErrors(listed.diagnostics)) return listed;
  const loaded = await project.reload();
  const { model } = loaded;
  if (model === undefined) return { files: listed.files, diagnostics: loaded.diagnostics };
  const files = projectSources(project.root);
  const now = { ...project, loaded, model, files };
  const added = await changeProject(now, scaffold(now), options);
  return {
    files: [...listed.files, ...added.files],
    diagnostics: [...listed.diagnostics, ...added.diagnostics],
  };
}

/**
 * Adds a connection with everything that reaches the target system through it; what is there already is kept. Returns
 * a sentence if it is not clear which connection is meant.
 */
export async function addClient(
  project: OpenProject,
  wanted: NewClient,
  { signal }: ScaffoldOptions = {},
): Promise<ScaffoldResult | string> {
  const names = namesOfClient(project.model, wanted);
  if (typeof names === "string") return names;
  const confirm = (after: ConnectorModel | undefined) =>
    after?.connections.some(({ key }) => key === names.key) === true
      ? undefined
      : "the connection is not part of the connector";
  const result = await changeProject(project, clientScaffold(names, project), { confirm, signal });
  const file = path.join(project.root, "package.json");
  const sdk = sdkFindings({ text: readTextIfExists(file) ?? "", file, version: packageVersion() });
  return {
    ...result,
    diagnostics: [...result.diagnostics, ...sdk],
    next: clientSteps(names, result),
  };
}

/** The connector of a new project, and where it is made. */
export interface NewProject extends Omit<NewConnector, "version"> {
  /** Created if needed. It may hold a README and a .gitignore. */
  readonly folder: string;
}

/** Makes the project of a new connector. */
export async function createConnector(
  { folder, ...wanted }: NewProject,
  { signal, onOutput }: ScaffoldOptions & Pick<ProjectOptions, "onOutput"> = {},
): Promise<ChangeResult> {
  const root = path.resolve(folder);
  const left = recoverWrites(root, WRITE_OPTIONS);
  if (hasErrors(left)) return { files: [], diagnostics: left };
  const scaffold = connectorScaffold({ ...wanted, version: packageVersion() }, projectSources(root));
  const { files, diagnostics } = absolutePaths(root, scaffold);
  if (hasErrors(diagnostics)) return { files: [], diagnostics };
  return writeConfirmed(
    root,
    files,
    async () =>
      newProblems(
        root,
        { diagnostics: [] },
        await loadProject({ folder: root, ...(onOutput && { onOutput }) }),
      ),
    signal,
  );
}

function dataObjectOf(model: ConnectorModel | undefined, moduleId: string, name: string) {
  return model?.modules
    .find(({ id }) => id === moduleId)
    ?.dataObjects.find((dataObject) => dataObject.name === name);
}

/** What comes next in a connector that can't reach its target system yet. */
function connectionSteps({ connections }: ConnectorModel): readonly string[] {
  return connections.length > 0 ? [] : ["npx connectorcli client new --auth-type <type>"];
}

function clientSteps(
  { definition, definitionFile, handlerFile }: ClientNames,
  { files }: ChangeResult,
): readonly string[] {
  const addresses =
    definition === undefined ? [`Put the addresses of the target system into ${definitionFile}.`] : [];
  const noBase =
    definition?.baseUrl.kind === "none" ? ["Give the definition a baseUrl: the client needs it."] : [];
  const services = files.some(({ file }) => file.path.endsWith("-reader.ts"))
    ? ["Adapt the readers and handlers: where records stand in an answer, and how lists come in pages."]
    : [];
  return [
    ...addresses,
    ...noBase,
    `Compare ${handlerFile} with how the target system wants to be called.`,
    ...services,
    "Put a path that every user may read into connections/connection-test-handler.ts.",
    "Then: npx connectorcli gen, npx connectorcli test init, npx connectorcli test connection",
  ];
}
