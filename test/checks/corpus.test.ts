import { expect } from "chai";
import { checkModel, type Diagnostic, readConnectorJson } from "../../schemas/entries/model.js";
import { type CorpusFile, corpusFiles, keyFaults, NO_CORPUS } from "../support/corpus.js";

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
        .map(({ code, pointer, message }) => `${code} ${pointer} ${nameIn(message)}`);
      const counted = keyFaults(JSON.parse(file.text)).map(
        ({ code, pointer, property = "" }) => `${code} ${pointer} ${property}`,
      );
      expect(found.sort()).to.deep.equal(counted.sort());
    });

    it(`finds in ${file.name} no name that the platform would not have taken`, () => {
      const found = findingsOf(file).filter(
        ({ code, severity }) => code.startsWith("name-") && severity === "error",
      );
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

/** The property that a key finding speaks of. */
function nameIn(message: string): string {
  return /(?:uses|names) "([^"]*)"/.exec(message)?.[1] ?? "";
}
