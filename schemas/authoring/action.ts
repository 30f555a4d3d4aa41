/** Actions: what changes records on the target system (spec §2.7). */
import type { TSchema } from "@sinclair/typebox";
import type { Silence } from "../diagnostics/silences.js";
import type { NamingConvention } from "../naming/conventions.js";
import type { DataObjectDefinition } from "./data-object.js";
import { createDefinition, type Definition } from "./definition.js";

/** Options of {@link defineAction}. */
export interface ActionOptions<
  Input extends TSchema = TSchema,
  Output extends TSchema = TSchema,
  Failure extends TSchema = TSchema,
> {
  /** The data object whose records the action changes. */
  readonly dataObject: DataObjectDefinition;
  /** Display name. @default the name of the action in words */
  readonly title?: string;
  /** What the action does. */
  readonly description: string;
  /** What the action takes. @default an empty object */
  readonly input?: Input;
  /** What the action returns if it succeeds. @default an empty object */
  readonly output?: Output;
  /** What the action returns if it fails. @default StandardFailure */
  readonly failure?: Failure;
  /** How names in code become serialized names. @default the convention of the data object */
  readonly namingConvention?: NamingConvention;
  /** The action's part of an address. @default its name in kebab-case */
  readonly urlPart?: string;
  /** The action's key on the platform. @default the urlPart */
  readonly key?: string;
  /** The member `createRtap` of the action in connector.json. @default true */
  readonly createRtap?: boolean;
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
}

/** What {@link defineAction} returns. */
export interface ActionDefinition<
  Input extends TSchema = TSchema,
  Output extends TSchema = TSchema,
  Failure extends TSchema = TSchema,
> extends Definition<"action", ActionOptions<Input, Output, Failure>> {
  /** Name of the action among those of its data object. */
  readonly name: string;
}

/**
 * Defines an action of a data object. List it under `actions` of the module that lists the object.
 *
 * @param name The name of the action, such as `Create`; its class is `CreateEmployee`.
 * @example
 * export const CreateEmployee = defineAction("Create", {
 *   dataObject: Employee,
 *   description: "Hires an employee.",
 *   input: Type.Omit(Employee.schema, ["id"]),
 *   output: Type.Pick(Employee.schema, ["id"]),
 * });
 */
export function defineAction<Input extends TSchema, Output extends TSchema, Failure extends TSchema>(
  name: string,
  options: ActionOptions<Input, Output, Failure>,
): ActionDefinition<Input, Output, Failure>;
export function defineAction(name: unknown, given: unknown, oldOptions?: object): ActionDefinition {
  const isOldCall = typeof name !== "string" && typeof given === "string";
  const definition = isOldCall
    ? { name: given, options: { dataObject: name, ...oldOptions } }
    : { name, options: given };
  return createDefinition({ kind: "action", ...definition } as ActionDefinition, { isOldCall });
}
