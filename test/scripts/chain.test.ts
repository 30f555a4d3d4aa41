import { expect } from "chai";
import { fillIn, useAddress } from "../support/client-projects.js";
import { connectorcli, connectorcliWith, folderWith, installInto, tsc } from "../support/command-line.js";
import { answerJson, closeServers, serve } from "../support/loopback.js";
import { PATIENCE } from "../support/repository.js";

const MODULE = ["module", "new", "--id", "app-1", "--name", "App", "--key", "app", "--version", "1"];
const OBJECT = ["data-object", "new", "--module-id", "app-1", "--name", "Employee"];
const ACTION = ["action", "new", "--module-id", "app-1", "--object-name", "Employee", "--name", "Create"];

describe("a connector from an empty folder", () => {
  afterEach(closeServers);

  it("comes to a passing connection test with no hand edit but the address", async () => {
    const target = await serve(({ headers }, response) =>
      answerJson(response, {}, headers.authorization === "Token api=t0ken" ? 200 : 401),
    );
    const folder = folderWith({});
    const done = async (...args: readonly string[]) => {
      const { status, stdout, stderr } = await connectorcli(folder, ...args);
      expect(status, `${args.join(" ")}\n${stdout}${stderr}`).to.equal(0);
    };
    await done("connector", "new", "Personnel");
    for (const args of [MODULE, OBJECT, ACTION]) await done(...args);
    await done("client", "new", "--auth-type", "Custom");
    useAddress(folder, target.origin);
    for (const args of [["test", "init"], ["gen"], ["check"], ["extract"], ["gen", "--check"]])
      await done(...args);
    installInto(folder);
    const compiled = await tsc("7", folder);
    expect(compiled.stdout).to.equal("");
    fillIn(folder, "customAuth", { apiToken: `\${PERSONNEL_TOKEN}` });
    const tested = await connectorcliWith({ PERSONNEL_TOKEN: "t0ken" }, folder, "test", "connection");
    expect(tested.stdout, tested.stderr).to.equal("Successful test.\n");
    expect(target.requests.map(({ path }) => path)).to.deep.equal(["/projects"]);
  }).timeout(PATIENCE);
});
