/** What authors declare in place of code: how an action is performed. A declaration is data, which tools read. */
import type { ActionClass, ActionTypes, JsonClass } from "../registration/action-class.js";
import type {
  ActionContext,
  CacheChange,
  Failed,
  ServiceTypes,
  Succeeded,
} from "../registration/contracts.js";
import type { AnswerOf, CallingClient, PathOf, Refused, SettingSource, VariablesOf } from "./declaration.js";
import type { Scalar, Way } from "./ways.js";

/** A value of the action's input; `input` makes it. */
export interface InputSource<Name extends string = string> {
  /** Tells it from other values. */
  readonly kind: "input";
  /** Way in the serialized form of the input; `$` for the whole of it. */
  readonly way: Name;
}

/** A value of the answer; `answered` makes it. */
export interface AnsweredSource<Name extends string = string> {
  /** Tells it from other values. */
  readonly kind: "answered";
  /** Way in the answer; `$` for the whole of it. */
  readonly way: Name;
}

/** The key that is the same for every attempt of an action, and for no other action. */
export interface ActionKeySource {
  /** Tells it from other values. */
  readonly kind: "actionKey";
}

/** Tells an object that takes up the rest of the input, also one that `rest` was spread into. */
export const REST: unique symbol = Symbol.for("connectorcli.rest");

/** An object that takes up the rest of the input. */
export interface RestSource {
  /** Always true. */
  readonly [REST]: true;
}

/**
 * The input without what stands elsewhere in the call. It is a value and no word, for a text in a body is always a constant,
 * and it can be spread.
 * @example
 * const plain = { body: rest };
 * const envelope = { body: { data: rest } };
 * const mixed = { body: { ...rest, type: "project", name: input("title") } };
 */
export const rest: RestSource = Object.freeze({ [REST]: true as const });

/** A UUID that is the same for every attempt of an action, and for no other action: `idempotency.key` of its context. */
export const actionKey: ActionKeySource = Object.freeze({ kind: "actionKey" });

/**
 * A value of the action's input.
 * @param way Way in the serialized form of the input; `$` for the whole of it.
 */
export function input<const Name extends string>(way: Name): InputSource<Name> {
  return Object.freeze({ kind: "input", way });
}

/**
 * A value of what the target system has answered.
 * @param way Way in the answer; `$` for the whole of it.
 */
export function answered<const Name extends string>(way: Name): AnsweredSource<Name> {
  return Object.freeze({ kind: "answered", way });
}

/** A way, or `$` where the whole fits. */
type WayOrWhole<From, Value> =
  | Way<From, Value>
  | (unknown extends From ? "$" : From extends Value ? "$" : never);

/** A value that is sent in a path, query or header. */
export type SentValue<Input> =
  | Scalar
  | SettingSource
  | ActionKeySource
  | InputSource<WayOrWhole<Input, Scalar>>;

/** What is sent as a body: constants, and at any depth what stands for other values. */
export type SentBody<Input> =
  | Scalar
  | null
  | SettingSource
  | ActionKeySource
  | RestSource
  | InputSource<Way<Input, unknown> | "$">
  | readonly SentBody<Input>[]
  | { readonly [name: string]: SentBody<Input> };

/** Parameters of a query; null and what the input does not have are left out. */
export type SentQuery<Input> = Readonly<
  Record<string, SentValue<Input> | InputSource<Way<Input, readonly Scalar[]>> | readonly Scalar[] | null>
>;

/** What an action changes in the cache: a record of its own data object, or of another one. */
export type DeclaredChange =
  | "upsert"
  | "delete"
  | "none"
  | {
      /** Class of the data object whose record was inserted or updated. */
      readonly upsert: JsonClass<unknown>;
    }
  | {
      /** Class of the data object whose record was deleted. */
      readonly delete: JsonClass<unknown>;
    };

/** A record of the data object that an action changes. */
export type ChangedRecord<Types extends ActionTypes, Change> = Change extends {
  readonly upsert: JsonClass<infer Json>;
}
  ? Json
  : Change extends { readonly delete: JsonClass<infer Json> }
    ? Json
    : Types["record"];

/** The cache changes of a handler. Which other data objects its module has, the compiler knows by their records. */
export type ChangeOf<Types extends ActionTypes, Change> = Change extends "upsert" | "delete"
  ? CacheChange<Types["dataObject"], Change, Types["record"]>
  : Change extends { readonly upsert: unknown }
    ? CacheChange<never, "upsert", ChangedRecord<Types, Change>>
    : Change extends { readonly delete: unknown }
      ? CacheChange<never, "delete", ChangedRecord<Types, Change>>
      : never;

/** A record that is asked for once more. */
export interface RereadCall<Input, Answer, Record> {
  /** Path below the base address: `GET /projects/{id}`. */
  readonly call: `GET ${string}`;
  /** A value for each variable of the path: from the answer to the action, or from its input. */
  readonly path?: { readonly [name: string]: SentValue<Input> | AnsweredSource<Way<Answer, Scalar>> };
  /** Parameters of the query. */
  readonly query?: { readonly [name: string]: SentValue<Input> | AnsweredSource<Way<Answer, Scalar>> };
  /** Headers. */
  readonly headers?: Readonly<{ [name: string]: SentValue<Input> }>;
  /**
   * Way to the record in what is read; `$` if it is the record.
   * @default that of the declaration, or `$`
   */
  readonly record?: string;
  /** Never set: it ties the type to its record. */
  readonly type?: Record;
}

/** Names that have a value once an action was answered: members of the record, of the answer and of the input. */
type KnownNames<Types extends ActionTypes, Answer, Record> =
  | (keyof Record & string)
  | (unknown extends Answer ? string : keyof Answer & string)
  | (keyof Types["input"] & string);

/** `GET` and a path whose variables are members of the record, the answer or the input; `Location` for that header. */
export type RereadPath<Path extends string, Names extends string> = Path extends "Location"
  ? Path
  : Path extends `GET ${string}`
    ? [VariablesOf<Path>] extends [Names]
      ? Path
      : never
    : never;

/** Looks whether an attempt before has performed the action, before it is performed again. */
export interface LookUp<Input> {
  /** Method and path below the base address: `GET /projects`. */
  readonly call: `GET ${string}` | `POST ${string}`;
  /** A value for each variable of the path. */
  readonly path?: { readonly [name: string]: SentValue<Input> };
  /** Parameters of the query. */
  readonly query?: SentQuery<Input>;
  /** Headers. */
  readonly headers?: Readonly<Record<string, SentValue<Input>>>;
  /** The body of a search by POST. */
  readonly body?: SentBody<Input>;
  /** Way to the list of records in the answer, or to the one record; `$` for the answer itself. */
  readonly items: string;
  /**
   * What the record has that the action has made: by the way in a record, its value. All have to be equal. Take what only
   * one record has, such as an alternate key or `actionKey`.
   */
  readonly where: Readonly<Record<string, SentValue<Input>>>;
  /** Statuses that say that there is no such record. Any other error ends the attempt. */
  readonly absent?: readonly number[];
  /** Members of the answer that look as if there were more, and say nothing of the list; `link` for the header. */
  readonly ignore?: readonly string[];
}

/** What keeps an action from being performed twice if nobody knows whether an attempt has reached the target system. */
export type DeclaredIdempotency<Input> =
  | {
      /** Name of the header that takes the action's key. */
      readonly header: string;
    }
  | {
      /** Way into the body that takes the action's key. */
      readonly body: string;
    }
  | {
      /** Looks for what the action has made. */
      readonly lookUp: LookUp<Input>;
    };

/** The shape of the standard failure. */
interface PlainFailure {
  readonly code: string;
  readonly errors: { text: string }[];
}

/** A failure of which any part may come from the input or from the answer. */
export type FailureForm<Failure> =
  | AnsweredSource
  | InputSource
  | (Failure extends readonly (infer Item)[]
      ? readonly FailureForm<Item>[]
      : Failure extends object
        ? { readonly [Name in keyof Failure]: FailureForm<Failure[Name]> }
        : Failure);

/** A failure in short, for actions with the standard failure. */
export interface ShortFailure {
  /** @default the HTTP status */
  readonly code?: string | AnsweredSource | InputSource;
  /** @default the target system's own words */
  readonly text?: string | AnsweredSource | InputSource;
}

/** What an action fails with, by the HTTP status of the refusal. */
export type DeclaredFailures<Failure> = Readonly<
  Record<number, FailureForm<Failure> | (PlainFailure extends Failure ? ShortFailure : never)>
>;

/** Values of the output; a member that is not named is taken from the record, else from the answer, else from the input. */
export type OutputForm<Input, Answer, Output> =
  // To check this way too would cost the compiler as much as all others; the output is validated when it is there.
  | AnsweredSource
  | {
      readonly [Name in keyof Output]?:
        | Output[Name]
        | SettingSource
        | ActionKeySource
        | InputSource<Way<Input, unknown> | "$">
        | AnsweredSource<WayOrWhole<Answer, Output[Name]>>;
    };

/** What the cache takes over has to be found. */
type RecordFor<Change> = Change extends "upsert" | { readonly upsert: unknown }
  ? { readonly record: string } | { readonly reread: string | object }
  : unknown;

/** Members of an output that are found nowhere by themselves have to be named. */
type OutputFor<Types extends ActionTypes, Answer, Record> = unknown extends Answer
  ? unknown
  : Types["output"] extends readonly unknown[]
    ? unknown
    : [Exclude<RequiredNames<Types["output"]>, keyof Record | keyof Answer | keyof Types["input"]>] extends [
          infer Missing extends PropertyKey,
        ]
      ? [Missing] extends [never]
        ? unknown
        :
            | { readonly output: AnsweredSource | { readonly [Name in Missing]: unknown } }
            | { readonly toOutput: (facts: never) => unknown }
      : unknown;

/** Members that are always there. */
type RequiredNames<Value> = {
  [Name in keyof Value]-?: object extends Pick<Value, Name> ? never : Name;
}[keyof Value];

/** How an action is performed. Names in it are serialized names. */
export type HandlerDeclaration<
  Call extends string,
  Types extends ActionTypes,
  Answer = unknown,
  Change extends DeclaredChange | undefined = DeclaredChange | undefined,
  Reread extends string = string,
> = PathOf<Call, SentValue<Types["input"]>> &
  RecordFor<NoInfer<Change>> &
  OutputFor<NoInfer<Types>, NoInfer<Answer>, NoInfer<ChangedRecord<Types, Change>>> & {
    /** Method and path below the base address: `POST /projects`, `DELETE /projects/{id}`. */
    readonly call: Call;
    /** Parameters of the query. */
    readonly query?: SentQuery<Types["input"]>;
    /** Headers. */
    readonly headers?: Readonly<Record<string, SentValue<Types["input"]> | null>>;
    /**
     * What is sent; null for nothing.
     * @default `rest`; nothing for GET and DELETE
     */
    readonly body?: SentBody<Types["input"]>;
    /**
     * How the body is written.
     * @default "json"
     */
    readonly encoding?: "json" | "form";
    /** The type of an answer: by it the compiler checks every way. Default: none, and ways are any texts. */
    readonly answer?: AnswerOf<Answer>;
    /** Way to the record in the answer; `$` if the answer is the record. */
    readonly record?: WayOrWhole<Answer, ChangedRecord<Types, Change>>;
    /**
     * Reads the record if the answer does not have it: `GET` and a path whose variables are members of the record, the answer
     * or the input; `Location` for the address in that header; or a whole call.
     */
    readonly reread?:
      | RereadPath<Reread, KnownNames<Types, Answer, ChangedRecord<Types, Change>>>
      | RereadCall<Types["input"], Answer, ChangedRecord<Types, Change>>;
    /**
     * The output.
     * @default each of its members from the record, else from the answer, else from the input
     */
    readonly output?: OutputForm<Types["input"], Answer, Types["output"]>;
    /**
     * What the cache takes over.
     * @default "none"
     */
    readonly change?: Change;
    /**
     * The key of the record that was deleted, by its serialized names.
     * @default the members of the record or of the input that have the names of the primary key
     */
    readonly key?: { readonly [Name in keyof ChangedRecord<Types, Change>]?: SentValue<Types["input"]> };
    /**
     * What keeps the action from being performed twice.
     * @default nothing: an attempt that may have reached the target system is repeated
     */
    readonly idempotency?: DeclaredIdempotency<Types["input"]>;
    /** What the action fails with, by HTTP status. Default: the status, and the target system's own words. */
    readonly failures?: DeclaredFailures<Types["failure"]>;
    /** How the target system tells an error with a success. */
    readonly refused?: Refused<Answer>;
    /**
     * Statuses that say that what is to be deleted is not there, and that this is as good.
     * @default none; 404 and 410 where an attempt before may have deleted it
     */
    readonly absent?: readonly number[];
    /** Code for what can't be declared: the output. */
    readonly toOutput?: (facts: {
      /** The input in serialized form. */
      readonly input: Types["input"];
      /** What the target system has answered; null if it said nothing. */
      readonly answer: Answer | null;
      /** The record; null if there is none. */
      readonly record: ChangedRecord<Types, Change> | null;
    }) => Types["output"];
  };

/** Any declaration, as tools read it. */
export interface AnyHandlerDeclaration {
  /** Method and path below the base address. */
  readonly call: string;
  /** A value for each variable of the path. */
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Headers. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** What is sent. */
  readonly body?: unknown;
  /** How the body is written. */
  readonly encoding?: "json" | "form";
  /** Way to the record in the answer. */
  readonly record?: string;
  /** Reads the record if the answer does not have it. */
  readonly reread?: string | RereadCall<unknown, unknown, unknown>;
  /** The output. */
  readonly output?: unknown;
  /** What the cache takes over. */
  readonly change?: DeclaredChange;
  /** The key of the record that was deleted. */
  readonly key?: Readonly<Record<string, unknown>>;
  /** What keeps the action from being performed twice. */
  readonly idempotency?: DeclaredIdempotency<unknown>;
  /** What the action fails with, by HTTP status. */
  readonly failures?: Readonly<Record<number, unknown>>;
  /** How the target system tells an error with a success. */
  readonly refused?: Refused<unknown>;
  /** Statuses that say that what is to be deleted is not there. */
  readonly absent?: readonly number[];
  /** Code that makes the output. */
  readonly toOutput?: (facts: never) => unknown;
}

/** An action of any types. */
export type AnyActionClass = Omit<ActionClass, "types">;

/** The context of any handler whose client can make calls. */
export type DeclaredActionContext = ActionContext<CallingClient, ServiceTypes>;

/** A handler that was declared. It stands where a handler in code stands. */
export interface DeclaredHandler<Types extends ActionTypes, Change = never> {
  /** Performs the action. The input is an instance of its class, or the serialized form of one. */
  (
    input: unknown,
    context: DeclaredActionContext,
  ): Promise<Succeeded<Types["output"], Change> | Failed<Types["failure"]>>;
  /** What was declared. Frozen. */
  readonly declaration: AnyHandlerDeclaration;
}
