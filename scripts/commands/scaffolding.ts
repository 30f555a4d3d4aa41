/** The commands that add to a project what its author goes on from: each asks for what is missing, adds, and prints. */
import path from "node:path";
import {
  type NewClient,
  type NewDataObject,
  type OpenVariable,
  openVariables,
  type SampleText,
  sourceText,
  type VariableSource,
} from "../../generators/scaffolds/index.js";
import type { PlannedFile, Step } from "../../generators/writer/plan.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { AUTH_TYPES, type ConnectorModel } from "../../schemas/model/connector-model.js";
import { classIdentifier, fileName } from "../../schemas/naming/identifiers.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { moduleId } from "../../schemas/naming/service-names.js";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments, ArgumentValue } from "../command-line/command.js";
import { type Answers, askQuestions, type Question, reportMissing } from "../command-line/questions.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { type OpenProject, openProject } from "../scaffolding/change-project.js";
import {
  addAction,
  addClient,
  addDataObject,
  addModule,
  createConnector,
  type ScaffoldOptions,
  type ScaffoldResult,
} from "../scaffolding/scaffolds.js";
import { readText } from "../system/read-text.js";

const WRONG_USAGE = 2;

const CONNECTOR_QUESTIONS: readonly Question[] = [
  { name: "name", isPositional: true, message: "Name of the connector, as people read it" },
];

/** `connector new`: a project from nothing. */
export async function connectorNew(args: Arguments, shell: Shell): Promise<number> {
  const missing = reportMissing(args, CONNECTOR_QUESTIONS, shell);
  if (missing !== undefined) return missing;
  const answers = await askQuestions(args, CONNECTOR_QUESTIONS, shell);
  if (typeof answers === "number") return answers;
  const name = answers["name"] ?? "";
  const directory = stringOf(args["directory"]) ?? ".";
  const key = stringOf(args["key"]) ?? fileName(name);
  const root = path.resolve(shell.cwd, directory);
  const result = await shell.interruptible((signal) =>
    createConnector({ folder: root, name, key }, { signal, onOutput: shell.write }),
  );
  const next = [
    ...(root === shell.cwd ? [] : [`cd ${directory}`]),
    "npm install",
    "npx connectorcli module new --id app-1 --name App --key app --version 1",
  ];
  return printResult({ ...result, next }, { args, shell, root });
}

const MODULE_QUESTIONS: readonly Question[] = [
  { name: "name", message: "Name of the module, as people read it" },
  {
    name: "key",
    message: "Key of the module: a part of its addresses for ever, such as app",
    suggestion: ({ name = "" }) => fileName(name),
  },
  { name: "version", message: "Version of the module, such as 1", suggestion: () => "1" },
  {
    name: "id",
    message: "Id of the module: its key and version, such as app-1",
    suggestion: ({ key = "", version = "" }) => moduleId(key, Number(version)),
  },
];

/** `module new`: a module of a connector. */
export function moduleNew(args: Arguments, shell: Shell): Promise<number> {
  return addToProject(args, shell, {
    questions: () => MODULE_QUESTIONS,
    add: ({ id = "", name = "", key = "", version = "" }, project, options) => {
      const number = /^\d+$/.test(version) ? Number(version) : Number.NaN;
      return addModule(project, { id, name, key, version: number }, options);
    },
  });
}

/** `data-object new`: a data object of a module, with its reader. */
export async function dataObjectNew(args: Arguments, shell: Shell): Promise<number> {
  const unfit = ["list", "parent", "setting"].find(
    (name) => args["code"] === true && args[name] !== undefined,
  );
  if (unfit !== undefined) {
    shell.say(`--${unfit} fills in a declared reader: leave --code out, or --${unfit}.`);
    return WRONG_USAGE;
  }
  const from = sampleOf(args, shell);
  if (typeof from === "string") {
    shell.say(from);
    return WRONG_USAGE;
  }
  const wanted: Omit<NewDataObject, "moduleId" | "name"> = {
    from,
    readerType: args["reader-type"] === "incremental" ? "incremental" : "full",
    list: stringOf(args["list"]),
    parents: namesIn(args["parent"]),
    settings: namesIn(args["setting"]),
    code: args["code"] === true,
  };
  return addToProject(args, shell, {
    questions: (model) => [
      {
        name: "module-id",
        message: "Id of the module that it belongs to, such as app-1",
        choices: () => moduleIds(model),
      },
      { name: "name", message: "Name of the data object's class, such as Employee" },
    ],
    add: async ({ "module-id": moduleId = "", name = "" }, project, options) => {
      const object = { moduleId, name, ...wanted };
      const variables = await askForVariables(openVariables(object, project), shell);
      return typeof variables === "number"
        ? variables
        : addDataObject(project, { ...object, variables }, options);
    },
  });
}

/** The sample that `--from` names, `-` for standard input; a sentence if it can't be read. */
function sampleOf({ from }: Arguments, shell: Shell): SampleText | string | undefined {
  const name = stringOf(from);
  if (name === undefined) return undefined;
  const file = path.resolve(shell.cwd, name);
  try {
    return name === "-" ? { text: shell.input() } : { text: readText(file), file };
  } catch (error) {
    return `${name} can't be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** The names of an option that takes several, separated by commas. */
function namesIn(value: ArgumentValue): readonly string[] | undefined {
  return stringOf(value)
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** What the user chooses for variables of the path; what can't be asked for stays open. */
async function askForVariables(
  open: readonly OpenVariable[],
  shell: Shell,
): Promise<ReadonlyMap<string, VariableSource> | number> {
  const asked = open.filter(({ sources }) => shell.canAsk && sources.length > 0);
  const questions = asked.map(({ variable, sources }) => ({
    name: variable,
    message: `Value of {${variable}} in the path`,
    choices: () => sources.map(sourceText),
  }));
  const answers = await askQuestions({}, questions, shell);
  if (typeof answers === "number") return answers;
  return new Map(
    asked.flatMap(({ variable, sources }) => {
      const chosen = sources.find((source) => sourceText(source) === answers[variable]);
      return chosen === undefined ? [] : [[variable, chosen] as const];
    }),
  );
}

/** `action new`: an action of a data object, with its handler. */
export function actionNew(args: Arguments, shell: Shell): Promise<number> {
  return addToProject(args, shell, {
    questions: (model) => [
      {
        name: "module-id",
        message: "Id of the module, such as app-1",
        choices: () => moduleIds(model),
      },
      {
        name: "object-name",
        message: "Name of the data object's class, such as Employee",
        choices: (answers) => objectNames(model, answers),
      },
      { name: "name", message: "Name of the action, such as Create" },
    ],
    add: ({ "module-id": id = "", "object-name": objectName = "", name = "" }, project, options) =>
      addAction(project, { moduleId: id, objectName, name, code: args["code"] === true }, options),
  });
}

/** `client new`: all that reaches the target system with one auth type; what is there already is kept. */
export async function clientNew(args: Arguments, shell: Shell): Promise<number> {
  const refuse = (words: string) => {
    shell.say(words);
    return WRONG_USAGE;
  };
  const wanted = wantedClient(args);
  if (typeof wanted === "string") return refuse(wanted);
  const options = projectOf(args, shell);
  const opened = await openProject(options);
  const printing = { args, shell, root: options.folder };
  if (opened.project === undefined) return printResult(opened, printing);
  const { project } = opened;
  const result = await shell.interruptible((signal) => addClient(project, wanted, { signal }));
  return typeof result === "string" ? refuse(result) : printResult(result, printing);
}

/** What the call asks for, or what is wrong with it. */
function wantedClient({ "auth-type": given, name }: Arguments): NewClient | string {
  const list = `Use one of: ${AUTH_TYPES.join(", ")}.`;
  if (typeof given !== "string" || given === "") return `Say which auth type: --auth-type <type>. ${list}`;
  const authType = AUTH_TYPES.find((type) => type === given);
  if (authType === undefined)
    return `There is no auth type "${given}".${didYouMean(given, AUTH_TYPES)} ${list}`;
  if (typeof name !== "string") return { authType, name: undefined };
  const identifier = classIdentifier(name).slice(0, LONGEST_NAME);
  if (identifier !== name)
    return `--name must be the name of a class of at most ${LONGEST_NAME} letters, such as ${identifier}.`;
  return { authType, name };
}

const LONGEST_NAME = 60;

function moduleIds(model: ConnectorModel | undefined): readonly string[] {
  return model?.modules.map(({ id }) => id) ?? [];
}

function objectNames(model: ConnectorModel | undefined, { "module-id": id }: Answers): readonly string[] {
  const module = model?.modules.find((candidate) => candidate.id === id);
  return module?.dataObjects.map(({ name }) => name) ?? [];
}

interface Addition {
  /** `model` is that of the project, for what may be chosen; undefined before the project is loaded. */
  readonly questions: (model: ConnectorModel | undefined) => readonly Question[];
  /** Adds the part; gives the exit status if the user interrupts it. */
  readonly add: (
    answers: Answers,
    project: OpenProject,
    options: ScaffoldOptions,
  ) => Promise<ScaffoldResult | number>;
}

/** Returns 0 if it is done, 1 with findings, 2 for missing options, 130 after Ctrl-C. */
async function addToProject(args: Arguments, shell: Shell, { questions, add }: Addition): Promise<number> {
  const missing = reportMissing(args, questions(undefined), shell);
  if (missing !== undefined) return missing;
  const options = projectOf(args, shell);
  const opened = await openProject(options);
  const printing = { args, shell, root: options.folder };
  if (opened.project === undefined) return printResult(opened, printing);
  const { project } = opened;
  const answers = await askQuestions(args, questions(project.model), shell);
  if (typeof answers === "number") return answers;
  const result = await shell.interruptible((signal) => add(answers, project, { signal }));
  return typeof result === "number" ? result : printResult(result, printing);
}

interface Outcome {
  /** What happened to each. */
  readonly files?: readonly PlannedFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly next?: readonly string[];
}

const WORDS: Readonly<Record<Step, string>> = {
  create: "create",
  update: "update",
  remove: "remove",
  keep: "kept",
  unchanged: "kept",
};

/** Prints the outcome and returns the exit status. */
function printResult(
  outcome: Outcome,
  { args, shell, root }: { readonly args: Arguments; readonly shell: Shell; readonly root: string },
): number {
  const { diagnostics } = outcome;
  const isDone = !hasErrors(diagnostics);
  const files = isDone
    ? (outcome.files ?? []).map(({ step, file }) => ({ step: WORDS[step], path: file.path }))
    : [];
  const next = isDone ? (outcome.next ?? []) : [];
  const summary = summaryOf(diagnostics);
  if (args["json"] === true) {
    const result = { written: isDone, files, next, diagnostics: findingsJson(diagnostics, root), summary };
    shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    if (diagnostics.length > 0) shell.say(findingsText(diagnostics, shell).trimEnd());
    for (const { step, path } of files) shell.say(`${step} ${path}`);
    if (!isDone) shell.say(`nothing written (${summaryText(summary)})`);
    if (next.length > 0) shell.say(["Next:", ...next.map((line) => `  ${line}`)].join("\n"));
  }
  return isDone ? 0 : 1;
}
