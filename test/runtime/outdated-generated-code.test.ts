import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { isOtherCodegen, withHeader } from "../../generators/generated-file.js";
import { readConnectorJson } from "../../schemas/entries/model.js";
import { prepareConnector } from "../../scripts/connector-run/prepare-connector.js";
import { folderWith, installInto } from "../support/folders.js";

/** What version 1.3 generated for an object with one property. */
const OUTDATED = `
import { isObject, isTextOrNone, type KeyedMethods, type RecordMethods, typedRecord } from "connectorcli/runtime";
function Note_check(a) {
  return isObject(a) && isTextOrNone(a["text"]);
}
export class Note extends typedRecord({ name: "Note", schema: () => ({}), check: Note_check }) {
}
`.replace(/type \w+, /g, "");

const EMPTY = `{ "name": "Notes", "urlPart": "notes", "key": "notes", "description": "", "connectionDefinitions": [],
  "configSchema": { "type": "object", "properties": {} }, "modules": [] }`;

describe("generated files of an older version", () => {
  it("end in an error that says what to run, when a host imports them", async () => {
    const folder = folderWith({ "package.json": '{ "type": "module" }', "note.js": OUTDATED });
    installInto(folder);
    const imported = promisify(execFile)(process.execPath, ["note.js"], { cwd: folder });
    const failure = await imported.then(
      () => ({ stderr: "" }),
      (error: { readonly stderr: string }) => error,
    );
    expect(failure.stderr).to.include("Error: The files under generated/ were made by an older version");
    expect(failure.stderr).to.include("Run npx connectorcli gen");
  });

  it("are refused before the connector is run", async () => {
    const folder = folderWith({ "package.json": '{ "type": "module" }', "registration.ts": "export {};\n" });
    const { model } = readConnectorJson(EMPTY, "connector.json");
    if (model === undefined) throw new Error("no model");
    mkdirSync(path.join(folder, "generated"));
    const current = withHeader("export {};\n");
    writeFileSync(path.join(folder, "generated/registration.ts"), current.replace(" (codegen 1)", ""));
    const { diagnostics } = (await prepareConnector(folder, model)) as {
      diagnostics: readonly { message: string }[];
    };
    expect(diagnostics.map(({ message }) => message)).to.deep.equal([
      "generated/registration.ts is made by another version of connectorcli, as is everything in its folder.",
    ]);
    expect(isOtherCodegen(current)).to.equal(false);
  });
});
