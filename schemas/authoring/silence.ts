/** Single findings that an author has looked at and lets stand, with the reason beside the property. */
import type { DiagnosticCode } from "../diagnostics/catalogue.js";

/**
 * The code of a finding, and why it does not matter here. Warnings can be silenced, and errors that are told by the
 * words of a name; a reason must be given.
 *
 * @example
 * Type.String({ description: "E-mail of the office.", silence: { "sensitive-not-write-only": "It is public." } })
 */
export type Silence = { readonly [Code in DiagnosticCode]?: string };
