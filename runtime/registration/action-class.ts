/** An action as code names it: the generated value that stands beside the classes of its payloads. */
import type { RecordType } from "../records/record-type.js";
import type { Finding } from "../validation/finding.js";

/** The types of an action, all in serialized form. Generated code fills them in. */
export interface ActionTypes {
  /** What its handler is given. */
  readonly input: unknown;
  /** What it gives if the action was performed. */
  readonly output: unknown;
  /** Why it was refused. */
  readonly failure: unknown;
  /** Name of the class of its data object. */
  readonly dataObject: string;
  /** A record of that data object. */
  readonly record: unknown;
}

/** A generated class, or the statics of a payload that is no object. `Json` is the serialized form of its values. */
export interface JsonClass<Json> {
  /** Schema, check, keys and names of the class. */
  readonly type: RecordType;
  /** Everything in which `json`, in serialized form, does not fit the schema; empty if it fits. */
  findings(json: unknown): readonly Finding[];
  /** The serialized form of a value. */
  toJSON(value: never): Json;
}

/** An action with the classes of what goes in and what comes out. Frozen. */
export interface ActionClass<Types extends ActionTypes = ActionTypes> {
  /** Its name in code: `CreateProject`. */
  readonly name: string;
  /** Class of the input. */
  readonly input: JsonClass<Types["input"]>;
  /** Class of the output. */
  readonly output: JsonClass<Types["output"]>;
  /** Class of the failure. */
  readonly failure: JsonClass<Types["failure"]>;
  /** Class of the data object that the action belongs to. */
  readonly dataObject: JsonClass<Types["record"]>;
  /** For the compiler only: never set. */
  readonly types?: Types;
}
