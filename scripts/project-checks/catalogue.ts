/** Every rule of the tool by its code: what `explain`, reports and the page of diagnostics show. */
import { MODEL_RULES } from "../../schemas/checks/engine.js";
import { type DiagnosticCode, GENERAL_RULES } from "../../schemas/diagnostics/codes.js";
import type { Rule } from "../../schemas/diagnostics/rules/rule.js";
import { COMMITTED_RULES } from "./rules/committed.js";
import { CREDENTIAL_RULES } from "./rules/credentials.js";
import { DECLARATION_RULES } from "./rules/declarations.js";
import { ENVIRONMENT_RULES } from "./rules/environment.js";
import { READER_RULES } from "./rules/readers.js";
import { REGISTRATION_RULES } from "./rules/registration.js";

/** A code without a rule does not compile. */
export const CATALOGUE: { readonly [Code in DiagnosticCode]: Rule } = {
  ...GENERAL_RULES,
  ...MODEL_RULES,
  ...CREDENTIAL_RULES,
  ...ENVIRONMENT_RULES,
  ...READER_RULES,
  ...DECLARATION_RULES,
  ...COMMITTED_RULES,
  ...REGISTRATION_RULES,
};
