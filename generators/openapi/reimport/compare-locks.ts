/** What is different between two imports: each change named, with the line of the document that it comes from. */
import { sortedText } from "../../../schemas/json.js";
import type {
  ImportLock,
  LockedAction,
  LockedDecision,
  LockedObject,
  LockedPart,
  LockedParts,
} from "./import-lock.js";

/** What a change is of. */
export type ChangedThing =
  | "operation"
  | "connection"
  | "setting"
  | "data object"
  | "decision"
  | "property"
  | "action"
  | "left out";

/** A difference between an import and the one before. */
export interface ImportChange {
  /** `new` and `gone` are so in the document; `taken` has modules from now on. */
  readonly change: "new" | "gone" | "changed" | "taken";
  /** What kind of thing it is. */
  readonly of: ChangedThing;
  /** `GET /projects`, `Project`, `Project.pages`, `Project.Create`. */
  readonly name: string;
  /** What was, in words; empty for what is new. */
  readonly was: string;
  /** What is, in words; empty for what is gone. */
  readonly now: string;
  /** Why it is so now; empty if the document simply says it. */
  readonly evidence: string;
  /** The line of the document: `openapi.yaml:12`; of what is gone, as it was. Empty if nothing is known of it. */
  readonly place: string;
  /**
   * - `done`: the tool's files follow it.
   * - `accept`: it decides which records are read, and is only taken over when somebody accepts it.
   * - `answer`: a list that was read can't be any more before somebody answers.
   * - `author`: it concerns modules of the author's, which are not changed.
   */
  readonly needs: "done" | "accept" | "answer" | "author";
}

/** The changes from `before` to `now`, in the order of the later document. */
export function compareLocks(before: ImportLock, now: ImportLock): readonly ImportChange[] {
  const lists = new Set([...before.objects, ...now.objects].map(({ list }) => list));
  const places = new Map(now.objects.map(({ list, place }) => [list, place]));
  return [
    ...operationChanges(before.operations, now.operations, places),
    ...decisionChanges("connection", before.connections, now.connections, () => "author"),
    ...textChanges("setting", before.settings, now.settings, "author").map((change) =>
      change.change === "new" ? { ...change, needs: "done" as const } : change,
    ),
    ...objectChanges(before.objects, now.objects),
    ...textChanges("left out", before.leftOut, now.leftOut, "done").filter(({ name }) => !lists.has(name)),
  ];
}

const DONE = { was: "", now: "", evidence: "", place: "", needs: "done" } as const;

function operationChanges(
  before: readonly string[],
  now: readonly string[],
  places: ReadonlyMap<string, string>,
): readonly ImportChange[] {
  const [old, present] = [new Set(before), new Set(now)];
  const changed = (name: string, change: "new" | "gone"): ImportChange => ({
    ...DONE,
    change,
    of: "operation",
    name,
    place: places.get(name) ?? "",
  });
  return [
    ...now.filter((id) => !old.has(id)).map((id) => changed(id, "new")),
    ...before.filter((id) => !present.has(id)).map((id) => changed(id, "gone")),
  ];
}

interface Difference<Value> {
  readonly name: string;
  readonly change: "new" | "gone" | "changed";
  readonly was: Value | undefined;
  readonly is: Value | undefined;
}

/** What of two tables is different, by name: in the order of the later one, then what is gone. */
function differences<Value>(
  before: readonly (readonly [string, Value])[],
  now: readonly (readonly [string, Value])[],
  isSame: (was: Value, is: Value) => boolean,
): readonly Difference<Value>[] {
  const [old, present] = [new Map(before), new Map(now)];
  return [...new Set([...present.keys(), ...old.keys()])].flatMap((name): readonly Difference<Value>[] => {
    const [was, is] = [old.get(name), present.get(name)];
    if (was !== undefined && is !== undefined && isSame(was, is)) return [];
    return [{ name, change: was === undefined ? "new" : is === undefined ? "gone" : "changed", was, is }];
  });
}

function textChanges(
  of: ChangedThing,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  needs: ImportChange["needs"],
): readonly ImportChange[] {
  const found = differences(Object.entries(before), Object.entries(now), (was, is) => was === is);
  return found.map(({ name, change, was = "", is = "" }) => ({
    ...DONE,
    change,
    of,
    name,
    was,
    now: is,
    needs,
  }));
}

function decisionChanges(
  owner: string,
  before: readonly LockedDecision[],
  now: readonly LockedDecision[],
  needsOf: (about: string, present: LockedDecision | undefined) => ImportChange["needs"],
): readonly ImportChange[] {
  const byAbout = (decision: LockedDecision) => [decision.about, decision] as const;
  const isOfObject = owner !== "connection";
  return differences(before.map(byAbout), now.map(byAbout), isSameDecision).map(
    ({ name, change, was, is }) => ({
      change,
      of: isOfObject ? "decision" : "connection",
      name: isOfObject ? `${owner}.${name}` : name,
      was: was !== undefined && is !== undefined && isSameValue(was, is) ? answeredWords(was) : wordsOf(was),
      now: wordsOf(is),
      evidence: is?.evidence ?? "",
      place: (is ?? was)?.places[0] ?? "",
      needs: needsOf(name, is),
    }),
  );
}

/**
 * What is not asked is sure enough to be used, whichever of the two it is. An answer to what the document does not say any
 * more is another decision, even if it is the same answer.
 */
function isSameDecision(was: LockedDecision, is: LockedDecision): boolean {
  const isAnswered = was.isAnswered === true && is.isAnswered === true;
  const isSameGround = was.evidence === is.evidence || sortedText(was.cites) === sortedText(is.cites);
  return isSameValue(was, is) && (!isAnswered || isSameGround);
}

function isSameValue(was: LockedDecision, is: LockedDecision): boolean {
  return (was.state === "ask") === (is.state === "ask") && sortedText(was.decided) === sortedText(is.decided);
}

function answeredWords(was: LockedDecision): string {
  return `${wordsOf(was)} (${was.evidence})`;
}

function wordsOf(decision: LockedDecision | undefined): string {
  if (decision === undefined) return "";
  if (decision.state === "ask") return "undecided";
  return decision.value === "" ? "none" : decision.value;
}

function objectChanges(
  before: readonly LockedObject[],
  now: readonly LockedObject[],
): readonly ImportChange[] {
  const old = new Map(before.map((object) => [object.list, object]));
  const present = new Map(now.map((object) => [object.list, object]));
  return [
    ...now.flatMap((is) => {
      const was = old.get(is.list);
      // What is gone already is nothing new.
      if (was?.presence === "gone" && is.presence === "gone") return [];
      return was === undefined || was.presence === "gone"
        ? [objectChange("new", is)]
        : changesWithin(was, is);
    }),
    ...before
      .filter(({ list, presence }) => !present.has(list) && presence !== "gone")
      .map((was) => objectChange("gone", was, "done")),
  ];
}

function objectChange(
  change: ImportChange["change"],
  { name, list, place, presence }: LockedObject,
  needs: ImportChange["needs"] = presence === "taken" ? "done" : "author",
): ImportChange {
  const words = change === "gone" ? { was: list } : { now: list };
  return { ...DONE, ...words, change, of: "data object", name, place, needs };
}

function changesWithin(was: LockedObject, is: LockedObject): readonly ImportChange[] {
  if (is.presence === "gone") return [objectChange("gone", is, "author")];
  if (was.presence === "offered" && is.presence === "taken") return [objectChange("taken", is)];
  return [
    ...decisionChanges(is.name, was.decisions, is.decisions, (about, decision) => {
      // Nothing is read yet, but the schema modules of the author's are there.
      const isUsed = was.isDecided || about === "items" || about === "key";
      if (was.presence !== "taken" || !isUsed) return "author";
      return decision?.state === "ask" ? "answer" : "accept";
    }),
    ...(sortedText(was.others) === sortedText(is.others)
      ? []
      : [
          {
            ...DONE,
            change: "changed" as const,
            of: "data object" as const,
            name: is.name,
            was: `also listed by ${was.others.join(", ") || "nothing"}`,
            now: `also listed by ${is.others.join(", ") || "nothing"}`,
            place: is.place,
          },
        ]),
    ...(is.presence === "taken" ? partChanges(is.name, "property", was.parts, is.parts) : []),
    ...(is.presence === "taken" ? actionChanges(is.name, was.actions, is.actions) : []),
  ];
}

function actionChanges(
  object: string,
  before: readonly LockedAction[],
  now: readonly LockedAction[],
): readonly ImportChange[] {
  const old = new Map(before.map((action) => [action.name, action]));
  const present = new Map(now.map((action) => [action.name, action]));
  const changed = (
    change: ImportChange["change"],
    { name, operation, place }: LockedAction,
    needs: ImportChange["needs"],
  ): ImportChange => {
    const words = change === "gone" ? { was: operation } : { now: operation };
    return { ...DONE, ...words, change, of: "action", name: `${object}.${name}`, place, needs };
  };
  return [
    ...now.flatMap((is): readonly ImportChange[] => {
      const was = old.get(is.name);
      if (was === undefined) return [changed("new", is, is.presence === "taken" ? "done" : "author")];
      if (was.presence !== is.presence) return [changed(PRESENCE_CHANGES[is.presence], is, "author")];
      const call =
        was.operation === is.operation ? [] : [{ ...changed("changed", is, "done"), was: was.operation }];
      return [...call, ...partChanges(`${object}.${is.name}`, "action", was.parts, is.parts)];
    }),
    ...before
      .filter(({ name, presence }) => !present.has(name) && presence !== "gone")
      .map((was) => changed("gone", was, "done")),
  ];
}

const PRESENCE_CHANGES = { taken: "taken", gone: "gone", offered: "gone" } as const;

/** Parts are called `property name`, `input name`, `description`. */
function partChanges(
  owner: string,
  of: "property" | "action",
  before: LockedParts,
  now: LockedParts,
): readonly ImportChange[] {
  const isSame = (was: LockedPart, is: LockedPart) => was.text === is.text;
  const found = differences(Object.entries(before), Object.entries(now), isSame);
  return found.map(({ name, change, was, is }) => {
    const property = /^property (.*)$/s.exec(name)?.[1];
    return {
      ...DONE,
      ...{ change, was: was?.text ?? "", now: is?.text ?? "", place: (is ?? was)?.place ?? "" },
      of: of === "action" ? of : property === undefined ? "data object" : "property",
      name: property === undefined ? `${owner} ${name}` : `${owner}.${property}`,
    };
  });
}
