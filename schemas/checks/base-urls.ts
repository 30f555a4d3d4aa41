/** The base address of a connection: there, whole, real, and without credentials (spec §2.1). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectionModel } from "../model/connector-model.js";
import { didYouMean } from "../naming/nearest.js";
import { carriesCredentials, isAddress, isPlaceholderAddress, shownAddress } from "./addresses.js";
import type { PlacedConnection } from "./model-parts.js";
import { below, found, type ModelPlace } from "./place.js";

/** What is wrong with where a connection takes its base address from. */
export function checkBaseUrl({ connection, place: at }: PlacedConnection): readonly Diagnostic[] {
  const { baseUrl, className, attributes } = connection;
  const place = below(at, { path: ["baseUrl"] });
  const unserved = environmentsWithoutAddress(connection);
  if (unserved.length > 0) {
    const environments = unserved.join(", ");
    return [found("connection-environment-without-address", place, { connection: className, environments })];
  }
  switch (baseUrl.kind) {
    case "none":
      return [found("connection-base-url-missing", at, { connection: className })];
    case "fixed":
      return checkAddress(baseUrl.url, className, place);
    case "environment":
      return [
        ...checkAddress(baseUrl.production, className, below(place, { path: ["Production"] })),
        ...checkAddress(baseUrl.test, className, below(place, { path: ["Test"] })),
      ];
    case "property": {
      const { property } = baseUrl;
      const names = attributes.map(({ name }) => name);
      if (names.includes(property)) return [];
      const hint = property.length > LONGEST_COMPARED ? "" : didYouMean(property, names);
      return [found("connection-address-property-unknown", place, { connection: className, property, hint })];
    }
    default:
      return baseUrl satisfies never;
  }
}

/** Names longer than this are not compared with others. */
const LONGEST_COMPARED = 100;

/** The environments that a user can choose although no address belongs to them. */
function environmentsWithoutAddress({ attributes, baseUrl }: ConnectionModel): readonly string[] {
  const labels =
    attributes
      .find(({ key }) => key.toLowerCase() === "connectionenvironment")
      ?.options.map(({ label }) => label) ?? [];
  // The address of a property is what the user enters, whatever the environment is.
  if (baseUrl.kind === "property") return [];
  return baseUrl.kind === "environment"
    ? labels.filter((label) => label !== "Production" && label !== "Test")
    : labels;
}

function checkAddress(address: string, connection: string, place: ModelPlace): readonly Diagnostic[] {
  const shown = { connection, address: shownAddress(address) };
  const credentials = carriesCredentials(address)
    ? [found("connection-address-credentials", place, { connection })]
    : [];
  // A placeholder is often no address either; one finding says what is to be done.
  if (isPlaceholderAddress(address)) {
    return [...credentials, found("connection-address-placeholder", place, shown)];
  }
  return isAddress(address)
    ? credentials
    : [...credentials, found("connection-address-invalid", place, shown)];
}
