/** Applies what authors say of single findings: silenced ones are counted, and a silence of nothing is a finding. */
import { CATALOGUE, type DiagnosticCode } from "../diagnostics/catalogue.js";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.js";
import type { SilencePlace } from "../diagnostics/silence-place.js";
import { didYouMean } from "../naming/nearest.js";

export interface Silenced {
  readonly findings: readonly Diagnostic[];
  readonly silenced: readonly Diagnostic[];
}

/** Errors that only the words of a name or an address tell: an author may know better. */
const JUDGED: ReadonlySet<DiagnosticCode> = new Set([
  "connection-secret-not-sensitive",
  "connection-address-placeholder",
  "registration-credential",
  "registration-address",
  "code-credential",
]);

/** Whether a finding with this code can be silenced. */
export function isSilenceable(code: DiagnosticCode): boolean {
  return (CATALOGUE[code].severity !== "error" || JUDGED.has(code)) && !code.startsWith("silence-");
}

export function isDiagnosticCode(code: string): code is DiagnosticCode {
  return Object.hasOwn(CATALOGUE, code);
}

/** `findings` without those that `silences` name, with what is wrong with the silences. */
export function applySilences(findings: readonly Diagnostic[], silences: readonly SilencePlace[]): Silenced {
  if (silences.length === 0) return { findings, silenced: [] };
  const used = new Set<string>();
  const silenced: Diagnostic[] = [];
  const left = findings.filter((found) => {
    const match = silences.find((silence) => matches(silence, found));
    if (match === undefined) return true;
    used.add(idOf(match));
    silenced.push({ ...found, silenced: match.reason });
    return false;
  });
  // A property that several schemas share is silenced where it is written, and found where it matters.
  const wrong = silences.flatMap((silence) => problemsOf(silence, used.has(idOf(silence))));
  return { findings: [...left, ...distinct(wrong)], silenced };
}

function matches({ code, pointer, of }: SilencePlace, found: Diagnostic): boolean {
  if (found.code !== code || !isSilenceable(found.code)) return false;
  if (found.pointer === pointer) return true;
  const below = (found.pointer ?? "").startsWith(`${pointer}/`)
    ? (found.pointer ?? "").slice(pointer.length)
    : "";
  return of === "definition" && below !== "" && !OTHER_PLACES.test(below);
}

/** What stands in a definition, but has options of its own. */
const OTHER_PLACES =
  /^\/(?:(?:\w*[sS]chema|attributes|modules|dataObjects|actions|services|connectionDefinitions))(?:\/|$)/;

function problemsOf(silence: SilencePlace, isUsed: boolean): readonly Diagnostic[] {
  const { code, what, pointer, path } = silence;
  const place = { pointer, path };
  if (!isDiagnosticCode(code)) {
    const hint = didYouMean(code.slice(0, 60), Object.keys(CATALOGUE));
    return [diagnostic("silence-code-unknown", place, { what, code, hint })];
  }
  if (!isSilenceable(code)) return [diagnostic("silence-refused", place, { what, code })];
  return isUsed ? [] : [diagnostic("silence-unused", place, { what, code })];
}

function idOf({ code, reason, of, pointer, path }: SilencePlace): string {
  return JSON.stringify([code, reason, of === "schema" ? path.at(-1) : pointer]);
}

/** One finding for a property that several schemas share. */
function distinct(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return findings.filter(({ code, message, path = [] }) => {
    const id = JSON.stringify([code, path.at(-1), path.length === 0 ? message : ""]);
    return seen.size !== seen.add(id).size;
  });
}
