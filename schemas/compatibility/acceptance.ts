/** The one file of the comparison that knows ajv: whether a schema, or a part of one, accepts a value. */
import { createRequire } from "node:module";
import type { Ajv, ValidateFunction } from "ajv";
import type { Json, JsonObject, Node } from "./json.js";

// Both packages are CommonJS whose default export TypeScript and Node read differently.
const require = createRequire(import.meta.url);
const AjvClass: typeof Ajv = require("ajv").Ajv;
const addFormats: (ajv: Ajv) => void = require("ajv-formats");

const ADDRESS = "schema://document";

/** How many parts of one schema are compiled at most. */
const MOST_PARTS = 200;

/** A schema inside the root. */
export interface Part {
  readonly pointer: string;
  readonly node: JsonObject;
}

export class Acceptance {
  readonly #root: Node;
  readonly #hasReferences: boolean;
  readonly #parts = new Map<string, ValidateFunction | undefined>();
  #ajv: Ajv | undefined;

  /** Without references every part stands on its own, and the root need not be read. */
  constructor(root: Node, hasReferences: boolean) {
    this.#root = root;
    this.#hasReferences = hasReferences;
  }

  /** Whether the part accepts `value`; undefined where it can't be compiled, or too much was. */
  accepts({ pointer, node }: Part, value: Json): boolean | undefined {
    try {
      return this.#part(pointer, node)?.(value) as boolean | undefined;
    } catch {
      // A schema may lead ajv into endless recursion.
      return undefined;
    }
  }

  /** The keywords by which the part refuses `value`, and the names of what it misses. */
  refusals(part: Part, value: Json): readonly string[] | undefined {
    const fits = this.accepts(part, value);
    if (fits === undefined) return undefined;
    const errors = fits ? [] : (this.#part(part.pointer, part.node)?.errors ?? []);
    return errors.map(({ keyword, instancePath, params }) => {
      const named: unknown = params["missingProperty"] ?? params["additionalProperty"];
      return `${instancePath} ${keyword}${typeof named === "string" ? ` ${named}` : ""}`;
    });
  }

  #part(pointer: string, node: JsonObject): ValidateFunction | undefined {
    if (!this.#parts.has(pointer)) this.#parts.set(pointer, this.#compile(pointer, node));
    return this.#parts.get(pointer);
  }

  #compile(pointer: string, node: JsonObject): ValidateFunction | undefined {
    if (this.#parts.size >= MOST_PARTS) return undefined;
    try {
      this.#ajv ??= this.#newAjv();
      if (!this.#hasReferences) return this.#ajv.compile(node);
      const fragment = pointer.split("/").map(encodeURIComponent).join("/");
      return this.#ajv.getSchema(`${ADDRESS}#${fragment}`);
    } catch {
      return undefined;
    }
  }

  #newAjv(): Ajv {
    const ajv = new AjvClass({ allErrors: true, strict: false, strictNumbers: true, logger: false });
    addFormats(ajv);
    if (this.#hasReferences) ajv.addSchema(this.#root as object, ADDRESS);
    return ajv;
  }
}
