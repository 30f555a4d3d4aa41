import { cpSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { typeErrors } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { CONNECTORS, changedConnector, generatedConnector } from "./connector-copies.js";
import { MISTAKES } from "./list-of-mistakes.js";

describe("the connectors that mistakes are made in", () => {
  it("type-check, and so do all mistakes", async () => {
    const all = folderWith({});
    const put = (name: string, folder: string) =>
      cpSync(folder, path.join(all, name), {
        recursive: true,
        filter: (file) => path.basename(file) !== "node_modules",
      });
    for (const name of CONNECTORS) put(name, await generatedConnector(name));
    for (const [index, { connector, changes }] of MISTAKES.entries())
      put(`${connector}-${index}`, await changedConnector(connector, changes));
    expect(await typeErrors(all)).to.equal("");
  });

  for (const name of CONNECTORS) {
    it(`${name} passes every check`, async () => {
      const { status, stderr } = await connectorcli(await generatedConnector(name), "check", "--strict");
      expect(status, stderr).to.equal(0);
    });
  }
});
