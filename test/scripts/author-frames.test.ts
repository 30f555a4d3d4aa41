import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import {
  HANDLER,
  type Platform,
  platformProject,
  READER,
  startPlatform,
} from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";
const CONNECTION_TEST = "connections/connection-test-handler.ts";

describe("an error of an author's code", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;
  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 3 });
    folder = await platformProject(platform.address, TOKEN);
  });
  after(() => platform.close());

  /** Runs a command while `file` holds `source`. */
  async function withSource(file: string, source: string, ...args: readonly string[]) {
    const place = path.join(folder, file);
    const before = readFileSync(place, "utf8");
    writeFileSync(place, source);
    try {
      return await connectorcli(folder, ...args);
    } finally {
      writeFileSync(place, before);
    }
  }

  const sync = ["run", "cache-writer", "--data-object-url", "project"] as const;
  const READS = `export async function* projectReader(): AsyncGenerator<never> {
  await Promise.resolve();
  yield titleOf({});
}

function titleOf(row: { readonly parts?: readonly string[] }): never {
  return row.parts!.map((part) => part.trim()) as never;
}
`;

  it("in a reader carries file, line and the calls to it", async () => {
    const { status, stdout } = await withSource(READER, READS, ...sync);
    expect(stdout).to.include("Cannot read properties of undefined (reading 'map')");
    expect(stdout).to.match(new RegExp(`at titleOf \\(${READER}:7:\\d+\\)\\n +at .*${READER}:3:\\d+`));
    expect(status).to.equal(1);
  });

  it("in a reader carries them for programs too", async () => {
    const { stdout } = await withSource(READER, READS, ...sync, "--json");
    const [{ frames }] = JSON.parse(stdout).objects;
    expect(frames[0]).to.include({ file: READER, line: 7, name: "titleOf" });
    expect(frames[1]).to.include({ file: READER, line: 3 });
  });

  it("about a page without a list says what the page is, and leads to the reader", async () => {
    const source = `import { pageNumbers } from "connectorcli/client";
export async function* projectReader(): AsyncGenerator<never> {
  const response = { isSuccessful: true, statusCode: 200, result: { items: [], total: 0 } };
  const pages = pageNumbers<never[]>({ read: async () => response as never, itemsOf: (page) => page });
  for await (const page of pages) yield* page;
}
`;
    const { stdout } = await withSource(READER, source, ...sync);
    expect(stdout)
      .to.include(' has no list of items: The page is an object with the members "items", "total".')
      .and.to.match(new RegExp(`at .*${READER}:5:\\d+`));
  });

  it("in a handler carries them, in text and for programs", async () => {
    const source = `import type { ActionHandler } from "connectorcli/runtime";
export const createProjectHandler: ActionHandler = async () => {
  throw new Error("no such thing");
};
`;
    const input = path.join(folder, "input.json");
    writeFileSync(input, JSON.stringify({ number: "N-1", title: "Tunnel", status: "Planned", budget: null }));
    const call = ["run", "action-processor", "--data-object-url", "project", "--action-url", "create"];
    const text = await withSource(HANDLER, source, ...call, "--input", input);
    expect(text.stdout, text.stderr).to.match(new RegExp(`no such thing[^]*at .*${HANDLER}:3:\\d+`));
    const { stdout } = await withSource(HANDLER, source, ...call, "--input", input, "--json");
    expect(JSON.parse(stdout).attempts[0].frames[0]).to.include({ file: HANDLER, line: 3 });
  });

  it("in a connection test carries them, and an answer is told in a sentence", async () => {
    const source = 'export const connectionTestHandler = async () => {\n  throw new Error("not yet");\n};\n';
    const thrown = await withSource(CONNECTION_TEST, source, "test", "connection");
    expect(thrown.stderr).to.match(new RegExp(`not yet\\n +at .*${CONNECTION_TEST}:2:\\d+`));
    const answer =
      "export const connectionTestHandler = async () => ({ isSuccessful: false, statusCode: 418 });\n";
    const answered = await withSource(CONNECTION_TEST, answer, "test", "connection");
    expect(answered.stderr).to.include("the answer has the status 418").and.to.not.include("{");
  });
});
