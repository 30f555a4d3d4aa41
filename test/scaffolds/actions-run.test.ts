import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { expect } from "chai";
import { clientProject, fillIn, typeErrors } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { answerJson, closeServers, serve } from "../support/loopback.js";
import { rejection } from "../support/promises.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const APP = ["--module-id", "app-1"];
const EMPLOYEE = { id: "7", name: "Ann" };

describe("scaffolded actions on a target system that answers without content", () => {
  afterEach(closeServers);

  it("compile as they are, succeed, and keep the cache as the target system is", async () => {
    const employees = new Map<string, object>();
    let lostDeletes = 1;
    const answers: Readonly<Record<string, (id: string, response: ServerResponse) => void>> = {
      POST: (_, response) => {
        employees.set(EMPLOYEE.id, EMPLOYEE);
        response.writeHead(201, { location: `/employees/${EMPLOYEE.id}` }).end();
      },
      PATCH: (id, response) => {
        employees.set(id, { ...employees.get(id), name: "Anna" });
        response.writeHead(204).end();
      },
      // The first answer is lost on its way.
      DELETE: (id, response) => {
        const isThere = employees.delete(id);
        if (lostDeletes-- > 0) response.destroy();
        else response.writeHead(isThere ? 204 : 404).end();
      },
      GET: (id, response) => answerJson(response, employees.get(id) ?? {}, employees.has(id) ? 200 : 404),
    };
    const { origin } = await serve(({ method, path: address }, response) =>
      answers[method]?.(address.replace("/employees", "").slice(1), response),
    );
    const folder = await clientProject(origin, "ApiKey");
    const done = async (...args: readonly string[]) => {
      const { status, stdout, stderr } = await connectorcli(folder, ...args);
      expect(status, `${args.join(" ")}\n${stdout}${stderr}`).to.equal(0);
      return stdout;
    };
    await done("data-object", "new", ...APP, "--name", "Employee");
    for (const name of ["Create", "Update", "Delete"])
      await done("action", "new", ...APP, "--object-name", "Employee", "--name", name);
    await done("gen");
    await done("test", "init");
    fillIn(folder, "apiKeyAuth", { apiKey: "k" });
    expect(await typeErrors(folder)).to.equal("");

    const perform = (action: string, input: object) => {
      writeFileSync(path.join(folder, "input.json"), JSON.stringify(input));
      const chosen = ["--data-object-url", "employee", "--action-url", action, "--input", "input.json"];
      return done("run", "action-processor", ...chosen);
    };
    expect(await perform("create", { name: "Ann" })).to.include("succeeded: 1 record in the cache");
    expect(await done("cache", "get", "employee", "7")).to.include('"name":"Ann"');
    expect(await perform("update", { id: "7", name: "Anna" })).to.include("succeeded: 1 record in the cache");
    expect(await done("cache", "get", "employee", "7")).to.include('"name":"Anna"');
    await rejection(perform("delete", { id: "7" }));
    await done("queue", "retry", "3");
    expect(await done("run", "action-processor")).to.include("succeeded");
    expect(lostDeletes).to.be.below(0);
    expect(await done("cache", "changes", "--tail", "1")).to.include("delete");
  }).timeout(SLOW_TEST_MS);
});
