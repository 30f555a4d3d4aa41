/** What a rule says: everything that people read about it stands in one entry, beside the code that reports it. */

/** `error`: the platform rejects it. `warning`: it should be mended. `info`: a note. */
export type Severity = "error" | "warning" | "info";

/** The words of one code. `message` and `fix` may hold `{parameters}`. */
export interface Rule {
  readonly severity: Severity;
  /** Section of the connector interface, such as `§2.6`, which `docs/interface.md` describes. */
  readonly section: string;
  /** What is wrong, as one or two sentences. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /**
   * Whether it is a missing or improper attribute, as submissions are commonly rejected for (§1.7): `check --strict`
   * makes an error of it.
   *
   * @default false
   */
  readonly isErrorIfStrict?: boolean;
  /**
   * Whether authors can let a single finding stand. It is stated for errors that only the words of a name or the shape
   * of a text tell, because an author may know better.
   *
   * @default true for warnings and notes, false for errors
   */
  readonly isSilenceable?: boolean;
  /** Absent if no author's code can show it. */
  readonly example?: RuleExample;
}

/** Code that breaks a rule, and the same code as it should be. `explain` shows both, and a test tries them. */
export interface RuleExample {
  readonly part: ExamplePart;
  readonly wrong: string;
  readonly right: string;
}

/**
 * What the code of an example is in a small connector: properties of its data object `Site`, the statements that define
 * its object, action, connection, configuration, module or the connector itself, or a file of the project.
 */
export type ExamplePart =
  | "properties"
  | "object"
  | "action"
  | "connection"
  | "registration configuration"
  | "cache writer configuration"
  | "module"
  | "connector"
  | "modules/app/site/site-reader.ts"
  | "modules/app/site/create-site-handler.ts"
  | "client/api-client.ts"
  | "package.json";

/** Rules by code. */
export type RuleFamily = Readonly<Record<string, Rule>>;

type ParameterNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** What a report of the rule must be given: a report with a missing or misspelt parameter does not compile. */
export type RuleParameters<OneRule extends Rule> = Readonly<
  Record<ParameterNames<OneRule["message"] | OneRule["fix"]>, string | number>
>;

/** Whether authors can let a finding of this rule stand. */
export function isSilenceable({ severity, isSilenceable: isStated }: Rule): boolean {
  return isStated ?? severity !== "error";
}
