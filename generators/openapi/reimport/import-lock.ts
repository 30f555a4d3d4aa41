/**
 * `imported/lock.json`: what an import took, each decision with its evidence and the text that it cites, and what the
 * document said of records and actions. A later import compares with it.
 */
import { createHash } from "node:crypto";
import { compactJson } from "../../../schemas/formats/json-text.js";
import { isJsonObject, type JsonValue, ownMember, sortedText } from "../../../schemas/json.js";
import { renderSchema } from "../../../schemas/model/render-schema.js";
import type { PropertyModel, SchemaModel } from "../../../schemas/model/schema-model.js";
import type { GeneratedFile } from "../../generated-file.js";
import { type DataObjectLayout, projectLayout } from "../../layout.js";
import type { KnownObject } from "../inference/decided.js";
import { isSelected } from "../inference/make-plan.js";
import {
  type Decision,
  decisionsOf,
  type ImportPlan,
  isDecided,
  type PlannedObject,
  type PlannedWrite,
} from "../inference/plan.js";
import { type DecisionView, type ObjectView, planView } from "../inference/plan-view.js";
import { baseFiles, baseFilesOfAction, IMPORTED } from "../modules/import-files.js";
import { type ImportedConnector, objectsTaken } from "../modules/imported-connector.js";
import type { ApiDescription } from "../reading/api-description.js";
import type { Citation } from "../reading/citations.js";
import type { ReadDescription } from "../reading/read-description.js";
import { Shapes } from "../reading/shapes.js";

export const LOCK_FILE = `${IMPORTED}/lock.json`;

/**
 * - `taken`: the author has modules for it.
 * - `offered`: it came with a later document, or is not decided, and has no modules.
 * - `gone`: the document does not have it any more, and the author still has modules for it.
 */
export type Presence = "taken" | "offered" | "gone";

/** A decision, and the text that it rests on. */
export interface LockedDecision extends DecisionView {
  /** What was decided, as the modules say it; null if there is nothing. */
  readonly decided: JsonValue;
  readonly cites: readonly Citation[];
  /** Whether the author has answered it: then `evidence` and `cites` also have what the document said. */
  readonly isAnswered?: true;
}

/** A part of a record or an action, and where the document says it. */
export interface LockedPart {
  readonly text: string;
  readonly place: string;
}

export type LockedParts = Readonly<Record<string, LockedPart>>;

/** An action of a data object. */
export interface LockedAction {
  readonly name: string;
  readonly operation: string;
  readonly presence: Presence;
  readonly place: string;
  /** The tool's files for it. */
  readonly files: readonly string[];
  readonly parts: LockedParts;
}

/** A data object. */
export interface LockedObject {
  readonly name: string;
  readonly list: string;
  readonly presence: Presence;
  readonly isDecided: boolean;
  readonly place: string;
  /** The tool's files for it, but for those of its actions. */
  readonly files: readonly string[];
  readonly others: readonly string[];
  readonly decisions: readonly LockedDecision[];
  readonly parts: LockedParts;
  readonly actions: readonly LockedAction[];
}

/** What an import took, and from which document. */
export interface ImportLock {
  readonly document: {
    readonly name: string;
    /** As the document calls it. */
    readonly version: string;
    /** Of all its files. */
    readonly sha256: string;
  };
  /** Those that are selected. */
  readonly operations: readonly string[];
  readonly connections: readonly LockedDecision[];
  /** Names of connection properties, by the parameter that they are sent as. */
  readonly settings: Readonly<Record<string, string>>;
  readonly objects: readonly LockedObject[];
  /** Reasons, by operation. */
  readonly leftOut: Readonly<Record<string, string>>;
}

/** What a lock is made from. */
export interface LockSource extends Pick<ReadDescription, "placeOf" | "citations"> {
  readonly description: ApiDescription;
  /** All that could be made of the document. */
  readonly plan: ImportPlan;
  /** Tags and paths that are taken; empty for the whole document. */
  readonly select: readonly string[];
  /** What is made of it. */
  readonly imported: ImportedConnector;
  /** Name or address of the document, for people. */
  readonly name: string;
  /** Of all files of the document. */
  readonly sha256: string;
  /** What the author has modules for, of what the plan has. */
  presenceOf(object: PlannedObject): Presence;
  presenceOfWrite(object: PlannedObject, write: PlannedWrite): Presence;
  /** What the document does not have any more, and the author still uses. */
  readonly goneObjects: readonly LockedObject[];
  goneActions(object: PlannedObject): readonly LockedAction[];
}

/** The lock of an import. */
export function makeLock(source: LockSource): ImportLock {
  const { description, plan, select, imported, name, sha256, goneObjects } = source;
  const view = planView(plan, source.placeOf);
  const maker = new LockMaker(source);
  return {
    document: { name, version: description.version, sha256 },
    operations: description.operations.filter((one) => isSelected(one, select)).map(({ id }) => id),
    connections: [plan.address, ...plan.connections.map(({ auth }) => auth)].flatMap((decision, index) => {
      const shown = view.connections[index];
      return shown === undefined ? [] : [maker.decision(shown, decision)];
    }),
    settings: Object.fromEntries(imported.settings),
    objects: [
      ...plan.objects.flatMap((object, index) => {
        const shown = view.objects[index];
        return shown === undefined ? [] : [maker.object(object, shown)];
      }),
      ...goneObjects,
    ],
    leftOut: Object.fromEntries(plan.leftOut.map(({ operation, reason }) => [operation.id, reason])),
  };
}

class LockMaker {
  readonly #source: LockSource;
  readonly #shapes: Shapes;
  readonly #names: ReadonlyMap<string, DataObjectLayout>;

  constructor(source: LockSource) {
    this.#source = source;
    this.#shapes = new Shapes(source.description);
    const { modules } = projectLayout(source.imported.model);
    this.#names = new Map(
      modules.flatMap(({ objects }) => objects.map((names) => [names.model.name, names] as const)),
    );
  }

  object(object: PlannedObject, view: ObjectView): LockedObject {
    const { name, list, others } = object;
    const names = this.#names.get(name);
    const place = this.#place(list.at);
    const properties = this.#shapes.of(object.record).properties;
    return {
      name,
      list: list.id,
      presence: this.#source.presenceOf(object),
      isDecided: isDecided(object) && objectsTaken({ objects: [object] }).length > 0,
      place,
      files: names === undefined ? [] : baseFiles(names, object),
      others: others.map(({ id }) => id),
      decisions: view.decisions.flatMap((shown) => {
        const decision = decisionsOf(object).get(shown.about);
        return decision === undefined ? [] : [this.decision(shown, decision)];
      }),
      parts:
        names === undefined
          ? {}
          : {
              description: { text: names.model.description, place },
              ...partsOf("property", names.model.schema.root, (property) => {
                const at = properties.get(property)?.schema.at;
                return at === undefined ? place : this.#place(at);
              }),
            },
      actions: [
        ...object.writes
          .filter(({ problem }) => problem === undefined)
          .map((write) => this.#action(object, write, names)),
        ...this.#source.goneActions(object),
      ],
    };
  }

  #action(object: PlannedObject, write: PlannedWrite, names: DataObjectLayout | undefined): LockedAction {
    const action = names?.actions.find(({ model }) => model.name === write.name);
    const { name, operation, sent, record, idempotencyHeader } = write;
    const place = this.#place(operation.at);
    const call = sortedText({
      sent: sent.map((one) => ({ name: one.name, in: one.in, source: one.source })),
      record: record?.kind === "reread" ? { ...record, operation: record.operation.id } : record,
      idempotencyHeader,
    });
    return {
      name,
      operation: operation.id,
      presence: this.#source.presenceOfWrite(object, write),
      place,
      files: names === undefined || action === undefined ? [] : baseFilesOfAction(names, action),
      parts:
        action === undefined
          ? {}
          : {
              description: { text: action.model.description, place },
              call: { text: call, place },
              ...partsOf("input", action.model.input.root, () => place),
              ...partsOf("output", action.model.output.root, () => place),
            },
    };
  }

  decision(view: DecisionView, { value, at, answered }: Decision<unknown>): LockedDecision {
    const cites = (answered?.at ?? at).flatMap((place) => this.#source.citations.cite(place) ?? []);
    return {
      ...view,
      decided: (value ?? null) as JsonValue,
      cites,
      ...(answered !== undefined && { isAnswered: true }),
    };
  }

  #place(at: string): string {
    const { file, line } = this.#source.placeOf(at);
    return `${file}:${line}`;
  }
}

function partsOf(kind: string, root: SchemaModel, placeOf: (name: string) => string): LockedParts {
  const properties: readonly PropertyModel[] = root.kind === "object" ? root.properties : [];
  return Object.fromEntries(
    properties.map((property) => {
      const { jsonName, schema } = property;
      const text = `${property.required ? "" : "optional "}${compactJson(renderSchema(schema))}`;
      return [`${kind} ${jsonName}`, { text, place: placeOf(jsonName) }];
    }),
  );
}

/** The decisions that stay because the text that they cite is still in the document, by the operation of their list. */
export function knownObjects(
  { objects }: ImportLock,
  { citations }: Pick<ReadDescription, "citations">,
): ReadonlyMap<string, KnownObject> {
  return new Map(
    objects.map(({ list, name, decisions }) => {
      const known = decisions.flatMap((decision): readonly (readonly [string, Decision<unknown>])[] => {
        const { about, state, decided, evidence, cites, isAnswered = false } = decision;
        const at = cites.flatMap((citation) => citations.find(citation) ?? []);
        const isThere = cites.length > 0 && at.length === cites.length;
        // What an author answered holds as long as the answer stands.
        return state === "ask" || isAnswered || !isThere
          ? []
          : [[about, { state, value: decided ?? undefined, evidence, at }]];
      });
      return [list, { name, decisions: new Map(known) }];
    }),
  );
}

/** The file of a lock. Its hash shows whether somebody has edited it. */
export function lockFile(lock: ImportLock): GeneratedFile {
  const content = `${JSON.stringify({ hash: hashOf(lock), ...lock }, undefined, 2)}\n`;
  return { path: LOCK_FILE, content, ownership: "generated" };
}

/** The lock in `text`, or the end of a sentence that says why there is none. */
export function readLock(text: string): ImportLock | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it is no JSON";
  }
  if (!isJsonObject(value)) return "it is no lock of an import";
  const { hash, ...lock } = value;
  if (typeof hash !== "string" || !isJsonObject(ownMember(lock, "document") ?? null))
    return "it is no lock of an import, or one of an earlier version of the tool";
  return hash === hashOf(lock) ? (lock as unknown as ImportLock) : "it was edited";
}

function hashOf(lock: unknown): string {
  return `sha256-${createHash("sha256").update(sortedText(lock)).digest("base64url")}`;
}
