/** The members of the registration configuration that belong in a connection: those that the checks name (spec §1.3). */
import { checkRegistration } from "../../schemas/checks/configuration-secrets.js";
import { documentsOf } from "../../schemas/checks/model-parts.js";
import { schemasOf } from "../../schemas/checks/visit-schemas.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { wordsOf } from "../../schemas/naming/words.js";

export interface Member {
  readonly kind: "credential" | "address";
  /** How messages call it. */
  readonly what: string;
  /** Its names in code, from the configuration down. */
  readonly names: readonly string[];
  /** Its own name in code. */
  readonly name: string;
  /** Whether only objects hold it: no list, no dictionary, no combination. */
  readonly isPlain: boolean;
}

/** In the order of the configuration. */
export function registrationMembers(model: ConnectorModel): readonly Member[] {
  const documents = documentsOf(model).filter(({ role }) => role === "registration");
  return documents.flatMap((document) =>
    [...schemasOf(document)].flatMap((visited) =>
      checkRegistration(visited).map((finding): Member => {
        const { what, path, pointer } = visited.place;
        const steps = pointer.slice(document.place.pointer.length);
        const names = path.slice(document.place.path.length).map(String);
        const isPlain = steps.length === 2 * names.length && steps.every(isPropertyStep);
        return { kind: kindOf(finding), what, names, name: visited.name, isPlain };
      }),
    ),
  );
}

/** What two names have in common that mean the same: `clientID` and `client_id`. */
export function sameName(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(name: string): string {
  return wordsOf(name).join("").toLowerCase();
}

function kindOf({ code }: Diagnostic): Member["kind"] {
  return code === "registration-credential" ? "credential" : "address";
}

function isPropertyStep(step: string | number, index: number): boolean {
  return index % 2 === 1 || step === "properties";
}
