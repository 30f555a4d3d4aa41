/** All checks on a model, in one call: the same on the command line, in the editor and in CI. */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectorModel } from "../model/connector-model.js";
import { checkBytes } from "./bytes.js";
import { checkRegistration, checkServiceSecret } from "./configuration-secrets.js";
import { checkConnections } from "./connections.js";
import { checkConstraints } from "./constraints.js";
import { checkDescriptions, checkSchemaDescription } from "./descriptions.js";
import { checkEnum } from "./enums.js";
import { checkKeys } from "./keys.js";
import { documentsOf, type PlacedDocument } from "./model-parts.js";
import { checkNameStyles } from "./name-styles.js";
import { checkNames } from "./names.js";
import { checkPropertyNames } from "./property-names.js";
import { referenceCheck } from "./references.js";
import { checkSensitive } from "./sensitive.js";
import { checkShape } from "./shapes.js";
import { checkSwitches } from "./switches.js";
import { checkTitle } from "./titles.js";
import { checkUrls } from "./urls.js";
import { schemasOf, type VisitedSchema } from "./visit-schemas.js";

/** Every finding in `model`, family by family; within a family in the order of the model. */
export function checkModel(model: ConnectorModel): readonly Diagnostic[] {
  return [...MODEL_CHECKS.flatMap((check) => check(model)), ...documentsOf(model).flatMap(checkDocument)];
}

/** One schema is looked at after the other, so that a large document is never held as a list of its parts. */
function checkDocument(document: PlacedDocument): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  const checks = [...SCHEMA_CHECKS, referenceCheck(document)];
  for (const visited of schemasOf(document)) {
    for (const check of checks) {
      for (const finding of check(visited)) findings.push(finding);
    }
  }
  return findings;
}

const MODEL_CHECKS: readonly ((model: ConnectorModel) => readonly Diagnostic[])[] = [
  checkNames,
  checkUrls,
  checkDescriptions,
  checkConnections,
  checkKeys,
  checkSwitches,
];

const SCHEMA_CHECKS: readonly ((visited: VisitedSchema) => readonly Diagnostic[])[] = [
  checkPropertyNames,
  checkNameStyles,
  checkShape,
  checkBytes,
  checkEnum,
  checkConstraints,
  checkSchemaDescription,
  checkTitle,
  checkSensitive,
  checkRegistration,
  checkServiceSecret,
];
