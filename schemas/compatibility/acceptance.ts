/** The one file of the comparison that knows ajv: whether a schema, or a part of one, accepts a value. */
import { createRequire } from "node:module";
import type { Ajv, ValidateFunction } from "ajv";
import type { Json, Node } from "./json.js";

// Both packages are CommonJS whose default export TypeScript and Node read differently.
const require = createRequire(import.meta.url);
const AjvClass: typeof Ajv = require("ajv").Ajv;
const addFormats: (ajv: Ajv) => void = require("ajv-formats");

const ADDRESS = "schema://document";

/** How many parts of one schema are compiled at most, and how large and deep a schema may be to be compiled whole. */
const MOST_PARTS = 400;

export class Acceptance {
  readonly #root: Node;
  readonly #parts = new Map<string, ValidateFunction | undefined>();
  #ajv: Ajv | undefined;

  constructor(root: Node) {
    this.#root = root;
  }

  /** Whether the part at `pointer` accepts `value`; undefined where it can't be compiled, or too much was. */
  accepts(pointer: string, value: Json): boolean | undefined {
    try {
      return this.#part(pointer)?.(value) as boolean | undefined;
    } catch {
      // A schema may lead ajv into endless recursion.
      return undefined;
    }
  }

  /** The keywords by which the part at `pointer` refuses `value`, and the names of what it misses. */
  refusals(pointer: string, value: Json): readonly string[] | undefined {
    const fits = this.accepts(pointer, value);
    if (fits === undefined) return undefined;
    const errors = fits ? [] : (this.#part(pointer)?.errors ?? []);
    return errors.map(({ keyword, instancePath, params }) => {
      const named: unknown = params["missingProperty"] ?? params["additionalProperty"];
      return `${instancePath} ${keyword}${typeof named === "string" ? ` ${named}` : ""}`;
    });
  }

  #part(pointer: string): ValidateFunction | undefined {
    if (!this.#parts.has(pointer)) this.#parts.set(pointer, this.#compile(pointer));
    return this.#parts.get(pointer);
  }

  #compile(pointer: string): ValidateFunction | undefined {
    if (this.#parts.size >= MOST_PARTS) return undefined;
    try {
      this.#ajv ??= this.#newAjv();
      const fragment = pointer.split("/").map(encodeURIComponent).join("/");
      return this.#ajv.getSchema(`${ADDRESS}#${fragment}`);
    } catch {
      return undefined;
    }
  }

  #newAjv(): Ajv {
    const ajv = new AjvClass({ allErrors: true, strict: false, strictNumbers: true, logger: false });
    addFormats(ajv);
    ajv.addSchema(this.#root as object, ADDRESS);
    return ajv;
  }
}
