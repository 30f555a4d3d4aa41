import { expect } from "chai";
import type { ConnectorJson } from "../../schemas/formats/connector-json.js";
import { checkModel, type Diagnostic, readConnectorJson } from "../../schemas/model/index.js";
import { type CorpusFile, corpusFiles, NO_CORPUS } from "../support/corpus.js";

describe("checks of real files", () => {
  const files = corpusFiles();
  if (files.length === 0) {
    it.skip(NO_CORPUS);
    return;
  }

  for (const file of files) {
    it(`finds in ${file.name} exactly the key mistakes that a plain count finds`, () => {
      const found = findingsOf(file)
        .filter(({ code }) => code.startsWith("key-"))
        .map(({ code, pointer, message }) => `${code} ${pointer} ${quoted(message)}`);
      expect([...found].sort()).to.deep.equal([...keyMistakes(JSON.parse(file.text))].sort());
    });

    it(`finds in ${file.name} no name that the platform would not have taken`, () => {
      const found = findingsOf(file).filter(({ code }) => code.startsWith("name-"));
      expect(found).to.deep.equal([]);
    });
  }

  const REGISTRATION: Readonly<Record<string, readonly string[]>> = {
    "accubid.connector.json": [
      "/configSchema/properties/Auth/properties/AuthorizationEndpoint",
      "/configSchema/properties/Auth/properties/ClientId",
      "/configSchema/properties/Auth/properties/ClientSecret",
      "/configSchema/properties/Auth/properties/TokenEndpoint",
      "/configSchema/properties/BaseUrl",
    ],
    "pinecone.connector.json": [],
    "power-bi.connector.json": [
      "/configSchema/properties/auth/properties/clientId",
      "/configSchema/properties/auth/properties/clientSecret",
      "/configSchema/properties/auth/properties/tokenUrl",
      "/configSchema/properties/baseUrl",
    ],
  };
  for (const file of files.filter(({ name }) => name in REGISTRATION)) {
    it(`finds in the registration configuration of ${file.name} what belongs in a connection`, () => {
      const found = findingsOf(file).filter(({ code }) => code.startsWith("registration-"));
      expect(found.map(({ pointer }) => pointer).sort()).to.deep.equal(REGISTRATION[file.name]);
    });
  }
});

function findingsOf({ name, text }: CorpusFile): readonly Diagnostic[] {
  const { model, diagnostics } = readConnectorJson(text, name);
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return checkModel(model);
}

/** The mistakes in the keys, counted from the JSON and nothing else. */
function keyMistakes(json: ConnectorJson): readonly string[] {
  return json.modules.flatMap((module, m) =>
    module.dataObjects.flatMap(({ schema, keys }, o) => {
      const { properties = {}, required = [] } = schema as {
        properties?: Record<string, { type?: string | string[] } | true>;
        required?: string[];
      };
      const primary = keys.filter(({ isPrimary }) => isPrimary).length;
      const place = `/modules/${m}/dataObjects/${o}/keys`;
      return [
        ...(primary === 0 ? [`key-missing ${place} `] : []),
        ...keys.flatMap(({ propertyNames }, k) => [
          ...(propertyNames.length === 0 ? [`key-empty ${place}/${k} `] : []),
          ...propertyNames.flatMap((name) => {
            const property = properties[name];
            const says = (code: string) => `key-property-${code} ${place}/${k} ${name}`;
            if (property === undefined) return [says("unknown")];
            const nullable = property === true || !property.type || property.type.includes("null");
            return [
              ...(required.includes(name) ? [] : [says("optional")]),
              ...(nullable ? [says("nullable")] : []),
            ];
          }),
        ]),
      ];
    }),
  );
}

/** The property that a key finding speaks of. */
function quoted(message: string): string {
  return /(?:uses|names) "([^"]*)"/.exec(message)?.[1] ?? "";
}
