/** Connection definitions: that there is one, that secrets are sensitive (spec §1.3, §2.1). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectorModel } from "../model/connector-model.js";
import { checkBaseUrl } from "./base-urls.js";
import { matchedWords } from "./matched-words.js";
import { attributePlace, connectionsOf, type PlacedConnection } from "./model-parts.js";
import { below, CONNECTOR_PLACE, found } from "./place.js";
import { SECRETS } from "./telling-words.js";

/** What is wrong with the connections of a connector. */
export function checkConnections(model: ConnectorModel): readonly Diagnostic[] {
  const connections = connectionsOf(model);
  if (connections.length === 0) {
    const place = below(CONNECTOR_PLACE, { pointer: ["connectionDefinitions"], path: ["connections"] });
    return [found("connection-none", place, {})];
  }
  return connections.flatMap((placed) => [...checkSecrets(placed), ...checkBaseUrl(placed)]);
}

function checkSecrets(placed: PlacedConnection): readonly Diagnostic[] {
  return placed.connection.attributes.flatMap(({ name, key, isSensitive, options, schema }, index) => {
    if (isSensitive || options.length > 0 || schema.kind === "boolean") return [];
    const words = matchedWords(name, SECRETS) ?? matchedWords(key, SECRETS);
    if (words === undefined) return [];
    const place = attributePlace(placed, index);
    return [found("connection-secret-not-sensitive", place, { what: place.what, words })];
  });
}
