/** One rule as a table row: a connector that breaks it, and a near miss that does not. */
import type { Diagnostic, DiagnosticCode } from "../../schemas/model/index.js";

export interface CheckCase {
  /** What the rule does, as a sentence after "reports". */
  readonly reports: string;
  readonly code: DiagnosticCode;
  readonly wrong: () => readonly Diagnostic[];
  /** As near to `wrong` as a connector can be without breaking the rule. */
  readonly fine: () => readonly Diagnostic[];
}
