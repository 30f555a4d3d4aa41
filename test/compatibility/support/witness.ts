/** Holds a witness to the two schemas with an ajv of the test's own. */
import { expect } from "chai";
import type { Change } from "../../../schemas/compatibility/change.js";
import { newAjv } from "../../validation/ajv.js";
import { documentsOf } from "../mutations/places.js";

type Json = ReturnType<typeof JSON.parse>;

/** Expects a value that one of the two files accepts, where the change is, and the other refuses. */
export function expectWitness(
  { witness, message, old: before, new: after }: Change,
  old: Json,
  next: Json,
): void {
  expect(witness, `a witness of: ${message}`).to.be.an("object");
  if (witness === undefined || witness === null) return;
  const fits = (file: Json, pointer: string): boolean => {
    const document = documentsOf(file).find((document) => pointer.startsWith(document.pointer));
    const ajv = newAjv().addSchema(document?.schema, "schema://it");
    const inside = witness.scope === "document" ? "" : pointer.slice(document?.pointer.length);
    const part = `schema://it#${inside.split("/").map(encodeURIComponent).join("/")}`;
    return ajv.compile({ $ref: part })(witness.value) === true;
  };
  const shown = JSON.stringify(witness.value);
  if (witness.scope === "value" && before.pointer !== after.pointer) return;
  expect(fits(old, before.pointer), `old takes ${shown}`).to.equal(witness.acceptedBy === "old");
  expect(fits(next, after.pointer), `new takes ${shown}`).to.equal(witness.acceptedBy === "new");
}
