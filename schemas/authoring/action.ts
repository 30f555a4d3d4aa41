/** Actions: what changes records on the target system (spec §2.7). */
import type { TSchema } from "@sinclair/typebox";
import type { NamingConvention } from "../naming/conventions.js";
import type { AnyDataObject } from "./data-object.js";
import { type Definition, defined } from "./definition.js";
import type { Silence } from "./silence.js";

export interface ActionOptions<
  Input extends TSchema = TSchema,
  Output extends TSchema = TSchema,
  Failure extends TSchema = TSchema,
> {
  /** Display name; otherwise the name of the action in words. */
  readonly title?: string;
  /** What the action does. */
  readonly description: string;
  /** What it is given; an empty object where it is left out. */
  readonly input?: Input;
  /** What it answers when it succeeded; an empty object where it is left out. */
  readonly output?: Output;
  /** What it answers when it failed; {@link StandardFailure} where it is left out. */
  readonly failure?: Failure;
  /** How names in code become serialized names here; otherwise as in the data object. */
  readonly namingConvention?: NamingConvention;
  readonly urlPart?: string;
  readonly key?: string;
  /** True where it is left out. */
  readonly createRtap?: boolean;
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
}

export interface ActionDefinition<
  Input extends TSchema = TSchema,
  Output extends TSchema = TSchema,
  Failure extends TSchema = TSchema,
> extends Definition<"action", ActionOptions<Input, Output, Failure>> {
  readonly dataObject: AnyDataObject;
  readonly name: string;
}

/**
 * Defines an action of a data object. List it under `actions` of the module that lists the object.
 *
 * @example
 * export const CreateEmployee = defineAction(Employee, "Create", {
 *   description: "Hires an employee.",
 *   input: Type.Omit(Employee.schema, ["id"]),
 *   output: Type.Pick(Employee.schema, ["id"]),
 * });
 */
export function defineAction<Input extends TSchema, Output extends TSchema, Failure extends TSchema>(
  dataObject: AnyDataObject,
  name: string,
  options: ActionOptions<Input, Output, Failure>,
): ActionDefinition<Input, Output, Failure> {
  return defined({ kind: "action", dataObject, name, options });
}
