/** `$ref` to a part of the same document. Other keywords beside it count too, as in ajv. */
import { type KeywordPlace, report, same } from "../evaluation.js";
import { target } from "../pointers.js";

export function evaluateReference(place: KeywordPlace): void {
  const reference = place.schema["$ref"];
  if (typeof reference !== "string") return;
  const schema = target(place.run.root, reference);
  if (schema === undefined) report(place, "$ref", `a schema at ${reference}`, "none there");
  else if (place.followed.includes(schema)) {
    report(place, "$ref", "a schema that ends", `${reference}, which leads to itself`);
  } else {
    const followed = [...place.followed, schema];
    same({ ...place, followed }, schema);
  }
}
