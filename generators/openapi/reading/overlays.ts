/**
 * Overlays (OpenAPI Overlay Specification 1.0 and 1.1): changes of a document that stand in files of their own. Each part
 * keeps the place where it was written, in the document or in an overlay.
 */
import { runInNewContext } from "node:vm";
import { JSONPathEnvironment } from "json-p3";
import { type Diagnostic, diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../../../schemas/json.js";
import { type DocumentText, MAX_DEPTH, MAX_VALUES, readDocumentText, type Steps } from "./document-text.js";

/** An overlay's file. */
export interface OverlayFile {
  /** Its path from the folder of the document, as findings name it. */
  readonly name: string;
  readonly text: string;
}

/** What overlays make of a document. */
export interface Overlaid {
  readonly text: DocumentText;
  /** What can't be applied; the document is then not what its author wants. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Paths may be nested so that they never end. All paths together may take this long. */
const MOST_SECONDS = 10;

/** Applies `overlays` to `document`, in their order. Neither is changed. */
export function applyOverlays(
  document: DocumentText,
  overlays: readonly OverlayFile[],
  seconds: number = MOST_SECONDS,
): Overlaid {
  const patched = new PatchedText(document, seconds);
  const diagnostics = overlays.flatMap(({ name, text }) => {
    const overlay = readDocumentText(text, name);
    return "code" in overlay ? [overlay] : applyOverlay(overlay, patched);
  });
  return { text: patched, diagnostics };
}

/** What is wrong with an action; `target` if it selects nothing. */
type Problem = { readonly problem: string } | { readonly target: string };

function applyOverlay(overlay: DocumentText, patched: PatchedText): readonly Diagnostic[] {
  const finding = (steps: Steps, found: Problem) => {
    const place = overlay.placeOf(steps);
    return "target" in found
      ? diagnostic("openapi-overlay-unmatched", place, found)
      : diagnostic("openapi-overlay", place, found);
  };
  const root = isJsonObject(overlay.value) ? overlay.value : {};
  const version = String(ownMember(root, "overlay") ?? "none");
  // `overlay: 1.0` without quotes is the number 1 in YAML.
  if (!/^1(?:\.[01](?:\.\d+)?)?$/.test(version)) {
    const problem = `it is no overlay of version 1.0 or 1.1: the version that it says is ${version}`;
    return [finding(["overlay"], { problem })];
  }
  const actions = ownMember(root, "actions");
  if (!isJsonArray(actions) || actions.length === 0)
    return [finding(["actions"], { problem: "it has no list of actions" })];
  const findings: Diagnostic[] = [];
  for (const [index, action] of actions.entries()) {
    const steps = ["actions", String(index)];
    const found = applyAction(action, { version, origin: { text: overlay, steps }, patched });
    if (found !== undefined) findings.push(finding(steps, found));
    if (patched.isTooLarge) break;
  }
  return findings;
}

interface ActionPlace {
  readonly version: string;
  readonly origin: Origin;
  readonly patched: PatchedText;
}

const KINDS_OF_ACTION = ["update", "copy", "remove"] as const;

function applyAction(action: JsonValue, { version, origin, patched }: ActionPlace): Problem | undefined {
  if (!isJsonObject(action)) return { problem: "an action is no object" };
  const target = ownMember(action, "target");
  if (typeof target !== "string") return { problem: "an action has no target" };
  const isRemoval = ownMember(action, "remove") === true;
  const said = KINDS_OF_ACTION.filter((kind) => kind !== "remove" && Object.hasOwn(action, kind));
  const unknown = Object.keys(action).find((name) => !ACTION_MEMBERS.has(name) && !name.startsWith("x-"));
  if (unknown !== undefined) return { problem: `an action has no member ${JSON.stringify(unknown)}` };
  if (isRemoval) return patched.remove(target);
  if (said.length !== 1)
    return { problem: `an action says ${said.join(" and ") || "neither update nor remove"}` };
  const copied = ownMember(action, "copy");
  if (copied === undefined)
    return patched.update(target, { value: action["update"] ?? null, origin: memberOf(origin, "update") });
  if (!version.startsWith("1.1")) return { problem: "copy is a word of overlays 1.1" };
  if (typeof copied !== "string") return { problem: "copy is no JSONPath" };
  return patched.copy(target, copied);
}

const ACTION_MEMBERS: ReadonlySet<string> = new Set(["target", "description", ...KINDS_OF_ACTION]);

/** Where a part was written. */
interface Origin {
  readonly text: DocumentText;
  readonly steps: Steps;
}

interface Part {
  readonly value: JsonValue;
  readonly origin: Origin;
}

type Mutable = null | boolean | number | string | Mutable[] | MutableObject;
interface MutableObject {
  [name: string]: Mutable;
}

/** A part that a JSONPath selects. */
interface Selected {
  readonly steps: Steps;
  readonly value: Mutable;
}

/** More than this is selected by no path that somebody wrote on purpose. */
const MOST_SELECTED = 100_000;

/** A document that overlays change. */
class PatchedText implements DocumentText {
  readonly value: Mutable;
  readonly #document: DocumentText;
  /** Where members were written that did not come with what holds them now. */
  readonly #moved = new WeakMap<object, Map<string, Origin>>();
  readonly #paths = new JSONPathEnvironment();
  #room = MAX_VALUES;
  #milliseconds: number;
  /** Then nothing more can be said of it. */
  isTooLarge = false;

  constructor(document: DocumentText, seconds: number) {
    this.#document = document;
    this.#milliseconds = seconds * 1000;
    this.value = this.#clone(document.value, 0);
  }

  placeOf(steps: Steps) {
    const { text, steps: own } = this.#originOf(steps);
    return text.placeOf(own);
  }

  remove(target: string): Problem | undefined {
    const selected = this.#select(target);
    if ("problem" in selected) return selected;
    if (selected.length === 0) return { target };
    if (selected.some(({ steps }) => steps.length === 0))
      return { problem: "the whole document can't be removed" };
    // By what holds them, before anything moves.
    const holders = new Map<Mutable, { readonly names: Set<string>; readonly origin: Origin }>();
    for (const { steps } of selected) {
      const around = steps.slice(0, -1);
      const holder = this.#at(around) ?? null;
      const known = holders.get(holder) ?? { names: new Set(), origin: this.#originOf(around) };
      holders.set(holder, known);
      known.names.add(steps.at(-1) ?? "");
    }
    for (const [holder, { names, origin }] of holders) this.#removeFrom(holder, names, origin);
    return undefined;
  }

  update(target: string, part: Part): Problem | undefined {
    const selected = this.#select(target);
    if ("problem" in selected) return selected;
    if (selected.length === 0) return { target };
    const kinds = [...new Set(selected.map(({ value }) => kindOf(value)))];
    if (kinds.length > 1)
      return { problem: `the target selects ${kinds.map((kind) => `${kind}s`).join(" and ")}` };
    for (const { steps, value } of selected) {
      const problem = this.#change(value, part, steps);
      if (problem !== undefined) return { problem };
    }
    return this.isTooLarge
      ? { problem: `what it makes has more than ${MAX_VALUES} values, or ${MAX_DEPTH} levels` }
      : undefined;
  }

  copy(target: string, source: string): Problem | undefined {
    const selected = this.#select(source);
    if ("problem" in selected) return selected;
    const [only, another] = selected;
    if (only === undefined) return { target: source };
    if (another !== undefined)
      return { problem: `copy selects ${selected.length} parts, and has to select one` };
    // What is copied may hold what it is copied to.
    return this.update(target, {
      value: this.#clone(only.value, only.steps.length),
      origin: this.#originOf(only.steps),
    });
  }

  #select(path: string): readonly Selected[] | { readonly problem: string } {
    const start = performance.now();
    try {
      const query = this.#paths.compile(path);
      const run = () => {
        const nodes = new Map<string, Selected>();
        for (const { location } of query.lazyQuery(this.value)) {
          const steps = location.map(String);
          const value = this.#at(steps);
          if (value !== undefined) nodes.set(jsonPointer(steps), { steps, value });
          if (nodes.size > MOST_SELECTED) return undefined;
        }
        return [...nodes.values()];
      };
      const found = runInNewContext(
        "run()",
        { run },
        { timeout: Math.max(1, Math.ceil(this.#milliseconds)) },
      );
      return found ?? { problem: `${JSON.stringify(path)} selects more than ${MOST_SELECTED} parts` };
    } catch (error) {
      const shown = JSON.stringify(path);
      if (isTimeout(error)) return { problem: `${shown} takes too long` };
      const reason = error instanceof Error ? error.message : String(error);
      return { problem: `${shown} is no JSONPath of RFC 9535: ${reason}` };
    } finally {
      this.#milliseconds -= performance.now() - start;
    }
  }

  #change(target: Mutable, part: Part, steps: Steps): string | undefined {
    const { value } = part;
    if (isArray(target)) return this.#append(target, part, steps.length);
    if (isObject(target))
      return isJsonObject(value)
        ? this.#merge(target, value, part.origin, steps)
        : mismatch(value, target, steps);
    const holder = this.#at(steps.slice(0, -1));
    const name = steps.at(-1);
    if (kindOf(value) !== "value" || name === undefined || !isContainer(holder))
      return mismatch(value, target, steps);
    this.#put(holder, name, part, steps.length);
    return undefined;
  }

  #append(target: Mutable[], { value, origin }: Part, depth: number): undefined {
    const added = isJsonArray(value)
      ? value.map((item, index) => ({
          value: item,
          origin: this.#memberOrigin(value, origin, String(index)),
        }))
      : [{ value, origin }];
    for (const part of added) this.#put(target, String(target.length), part, depth + 1);
    return undefined;
  }

  #merge(target: MutableObject, update: JsonObject, origin: Origin, steps: Steps): string | undefined {
    for (const [name, value] of Object.entries(update)) {
      const known = ownMember(target, name);
      const part = { value, origin: this.#memberOrigin(update, origin, name) };
      const inner = [...steps, name];
      if (known === undefined || (kindOf(known) === "value" && kindOf(value) === "value"))
        this.#put(target, name, part, inner.length);
      else if (isArray(known) && isJsonArray(value)) this.#append(known, part, inner.length);
      else if (isObject(known) && isJsonObject(value)) {
        const problem = this.#merge(known, value, part.origin, inner);
        if (problem !== undefined) return problem;
      } else if (value !== null) return mismatch(value, known, inner);
    }
    return undefined;
  }

  #put(holder: Mutable[] | MutableObject, name: string, { value, origin }: Part, depth: number): void {
    // A name such as `__proto__` is a member like any other.
    Object.defineProperty(holder, name, {
      value: this.#clone(value, depth),
      writable: true,
      enumerable: true,
      configurable: true,
    });
    const moved = this.#moved.get(holder) ?? new Map<string, Origin>();
    this.#moved.set(holder, moved.set(name, origin));
  }

  #removeFrom(holder: Mutable, names: ReadonlySet<string>, origin: Origin): void {
    if (isObject(holder)) {
      for (const name of names) {
        delete holder[name];
        this.#moved.get(holder)?.delete(name);
      }
    } else if (isArray(holder)) {
      const kept = [...holder.keys()].map(String).filter((index) => !names.has(index));
      const origins = kept.map((index) => this.#memberOrigin(holder, origin, index));
      const values = kept.flatMap((index) => [holder[Number(index)] ?? null]);
      holder.splice(0, holder.length, ...values);
      this.#moved.set(holder, new Map(origins.map((one, index) => [String(index), one])));
    }
  }

  #originOf(steps: Steps): Origin {
    let origin: Origin = { text: this.#document, steps: [] };
    let value: Mutable | undefined = this.value;
    for (const step of steps) {
      origin = isContainer(value) ? this.#memberOrigin(value, origin, step) : memberOf(origin, step);
      value = valueAt(value, step);
    }
    return origin;
  }

  #memberOrigin(holder: object, origin: Origin, name: string): Origin {
    return this.#moved.get(holder)?.get(name) ?? memberOf(origin, name);
  }

  /** The part that own members lead to. */
  #at(steps: Steps): Mutable | undefined {
    return steps.reduce<Mutable | undefined>(valueAt, this.value);
  }

  #clone(value: JsonValue, depth: number): Mutable {
    this.#room--;
    this.isTooLarge ||= this.#room < 0 || depth > MAX_DEPTH;
    if (this.isTooLarge) return null;
    if (!isJsonArray(value) && !isJsonObject(value)) return value;
    const clone: Mutable[] | MutableObject = isJsonArray(value) ? [] : {};
    const moved = this.#moved.get(value);
    if (moved !== undefined) this.#moved.set(clone, new Map(moved));
    for (const [name, member] of Object.entries(value))
      Object.defineProperty(clone, name, {
        value: this.#clone(member, depth + 1),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    return clone;
  }
}

/** The error comes from the other context, and is no instance of this one's class. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

function memberOf({ text, steps }: Origin, name: string): Origin {
  return { text, steps: [...steps, name] };
}

function valueAt(value: Mutable | undefined, step: string): Mutable | undefined {
  if (isArray(value)) return value[Number(step)];
  return isObject(value) ? ownMember(value, step) : undefined;
}

function mismatch(value: JsonValue, target: Mutable, steps: Steps): string {
  return `${aKind(value)} does not fit ${jsonPointer(steps)}, which is ${aKind(target)}`;
}

function aKind(value: JsonValue): string {
  const kind = kindOf(value);
  return `${kind === "object" ? "an" : "a"} ${kind}`;
}

function kindOf(value: JsonValue): "object" | "list" | "value" {
  if (isJsonArray(value)) return "list";
  return isJsonObject(value) ? "object" : "value";
}

function isArray(value: Mutable | undefined): value is Mutable[] {
  return Array.isArray(value);
}

function isObject(value: Mutable | undefined): value is MutableObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isContainer(value: Mutable | undefined): value is Mutable[] | MutableObject {
  return typeof value === "object" && value !== null;
}
