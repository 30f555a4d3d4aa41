/**
 * One side of a comparison of two schemas: its parts by their pointers, what its references name, and whether ajv
 * accepts a value by a part of it. The one module of the comparison that knows ajv.
 */
import { createRequire } from "node:module";
import type { Ajv, AnySchema, ValidateFunction } from "ajv";
import {
  fragmentSteps,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../json.js";
import { keywordNames } from "../keywords.js";
import { isSchemaNode, isString, type SchemaNode } from "./schema-node.js";

// Both packages are CommonJS whose default export TypeScript and Node read differently.
const require = createRequire(import.meta.url);
const AjvClass: typeof Ajv = require("ajv").Ajv;
const addFormats: (ajv: Ajv) => void = require("ajv-formats");

const AJV_OPTIONS = {
  allErrors: true,
  strict: false,
  strictNumbers: true,
  logger: false,
  code: { optimize: false },
} as const;

/** Holds the meta-schema of draft 7. ajv compiles it per instance, which takes longer than to compile most schemas. */
let metaAjv: Ajv | undefined;

/** An ajv that has schemas without a dialect of their own validated by the one compiled meta-schema. */
class SideAjv extends AjvClass {
  override validateSchema(schema: AnySchema, throwOrLogError?: boolean): boolean | Promise<unknown> {
    if (typeof schema === "object" && schema["$schema"] !== undefined)
      return super.validateSchema(schema, throwOrLogError);
    metaAjv ??= new AjvClass(AJV_OPTIONS);
    return metaAjv.validateSchema(schema, throwOrLogError);
  }
}

/** What ajv knows the root by. */
const ADDRESS = "schema://document";

/** Code for a larger or deeper schema costs more than it tells. */
const MAX_COMPILED_NODES = 2_500;
const MAX_COMPILED_DEPTH = 300;
/** How many parts of one schema are compiled at most. */
const MAX_COMPILED_PARTS = 200;

/** Names of schemas, and references, other than `$ref`: these may lead anywhere. */
const OTHER_REFERENCES = keywordNames(
  ({ name, role }) => role === "refer" && name !== "$ref" && name !== "id",
);

/** A schema and the side that it belongs to, which knows what its references name. */
export interface SidedSchema {
  readonly node: SchemaNode;
  readonly side: SchemaSide;
}

export class SchemaSide {
  readonly root: SchemaNode;
  /** How many objects and arrays the schema holds. */
  readonly size: number;
  /** What its `$ref`s say, each once. */
  readonly references: ReadonlySet<string>;
  readonly #pointers: ReadonlyMap<object, string>;
  readonly #hasOtherReferences: boolean;
  readonly #hasNullable: boolean;
  readonly #small = new Map<object, boolean>();
  readonly #compiled = new Map<string, ValidateFunction | undefined>();
  #ajv: Ajv | undefined;

  constructor(root: SchemaNode) {
    const pointers = new Map<object, string>();
    const references = new Set<string>();
    const pending: [JsonValue, string][] = [[root, ""]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [value, pointer] = next;
      if (typeof value !== "object" || value === null) continue;
      pointers.set(value, pointer);
      const { $ref } = value as JsonObject;
      if (isString($ref)) references.add($ref);
      for (const [name, item] of Object.entries(value)) pending.push([item, pointer + jsonPointer([name])]);
    }
    this.root = root;
    this.size = pointers.size;
    this.references = references;
    this.#pointers = pointers;
    this.#hasNullable = [...pointers.keys()].some((value) => Object.hasOwn(value, "nullable"));
    this.#hasOtherReferences = [...pointers.keys()].some((value) =>
      OTHER_REFERENCES.some((name) => isString((value as JsonObject)[name])),
    );
  }

  /** The pointer of a part of the schema; undefined for anything else. */
  pointerOf(node: SchemaNode): string | undefined {
    return typeof node === "object" ? this.#pointers.get(node) : undefined;
  }

  /** The schema that `reference` names; undefined if it can't be told. */
  target(reference: JsonValue | undefined): SchemaNode | undefined {
    if (this.#hasOtherReferences || !isString(reference)) return undefined;
    const steps = fragmentSteps(reference);
    if (steps === undefined) return undefined;
    let part: JsonValue | undefined = this.root;
    for (const step of steps) {
      if (isJsonArray(part)) part = part[Number(step)];
      else part = isJsonObject(part) ? ownMember(part, step) : undefined;
    }
    return isSchemaNode(part) ? part : undefined;
  }

  /** Whether the whole schema is small enough to be compiled. */
  get isSmall(): boolean {
    return typeof this.root === "boolean" || this.#isSmall(this.root);
  }

  /** Whether `node` accepts `value`; undefined if `node` can't be compiled. */
  accepts(node: SchemaNode, value: JsonValue): boolean | undefined {
    return typeof node === "boolean" ? node : this.#run(node, value)?.isAccepted;
  }

  /**
   * Where and by which keywords `node` refuses `value`, such as `/lines/0 required price`: the name is that of a
   * property which is missing or too many. Undefined if `node` can't be compiled.
   */
  refusals(node: SchemaNode, value: JsonValue): readonly string[] | undefined {
    if (typeof node === "boolean") return node ? [] : ["false schema"];
    const result = this.#run(node, value);
    if (result === undefined) return undefined;
    return result.errors.map(({ keyword, instancePath, params }) => {
      const property: unknown = params["missingProperty"] ?? params["additionalProperty"];
      return `${instancePath} ${keyword}${typeof property === "string" ? ` ${property}` : ""}`;
    });
  }

  #run(node: JsonObject, value: JsonValue) {
    const pointer = this.#isSmall(node) ? this.pointerOf(node) : undefined;
    const validate = pointer === undefined ? undefined : this.#validator(pointer, node);
    if (validate === undefined) return undefined;
    try {
      const isAccepted = validate(value) as boolean;
      return { isAccepted, errors: isAccepted ? [] : (validate.errors ?? []) };
    } catch {
      // A schema may lead ajv into endless recursion.
      return undefined;
    }
  }

  #isSmall(node: JsonObject): boolean {
    const isSmall = this.#small.get(node) ?? isSmallEnough(node);
    this.#small.set(node, isSmall);
    return isSmall;
  }

  #validator(pointer: string, node: JsonObject): ValidateFunction | undefined {
    if (!this.#compiled.has(pointer)) this.#compiled.set(pointer, this.#compile(pointer, node));
    return this.#compiled.get(pointer);
  }

  #compile(pointer: string, node: JsonObject): ValidateFunction | undefined {
    if (this.#compiled.size >= MAX_COMPILED_PARTS) return undefined;
    try {
      this.#ajv ??= this.#newAjv();
      // Without references every part stands on its own, and the root need not be read.
      if (this.references.size === 0) return this.#ajv.compile(this.#copyForAjv(node));
      const fragment = pointer.split("/").map(encodeURIComponent).join("/");
      return this.#ajv.getSchema(`${ADDRESS}#${fragment}`);
    } catch {
      return undefined;
    }
  }

  /** ajv adds "null" to the array of types beside `nullable`: it gets arrays of its own. */
  #copyForAjv(node: JsonObject): JsonObject {
    return this.#hasNullable ? (copyNullableTypes(node) as JsonObject) : node;
  }

  #newAjv(): Ajv {
    const ajv = new SideAjv(AJV_OPTIONS);
    addFormats(ajv);
    if (this.references.size > 0) ajv.addSchema(this.#copyForAjv(this.root as JsonObject), ADDRESS);
    return ajv;
  }
}

/** `value` with the arrays beside `nullable` copied, and what holds them. Everything else is the same object. */
function copyNullableTypes(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    const items = value.map(copyNullableTypes);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const isNullable = Object.hasOwn(value, "nullable");
  const members = Object.entries(value).map(([name, inner]): [string, JsonValue] => [
    name,
    isNullable && name === "type" && isJsonArray(inner) ? [...inner] : copyNullableTypes(inner),
  ]);
  return members.every(([name, inner]) => inner === value[name]) ? value : Object.fromEntries(members);
}

function isSmallEnough(node: JsonObject): boolean {
  let count = 0;
  const pending: [JsonValue, number][] = [[node, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next;
    if (typeof value !== "object" || value === null) continue;
    if (++count > MAX_COMPILED_NODES || depth > MAX_COMPILED_DEPTH) return false;
    for (const item of Object.values(value)) pending.push([item, depth + 1]);
  }
  return true;
}
