import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { checkProject } from "../../scripts/workbench/check.js";
import { connectorcli } from "../support/command-line.js";
import {
  declaredProject,
  projectReader,
  READER_FILES,
  TIMESHEET_READER,
  writeHandler,
  writeReader,
} from "../support/declared-project.js";
import { SLOW_TEST_MS } from "../support/repository.js";

/** Nothing is wrong with it. */
const HANDLER = `defineHandler(CreateProject, {
  call: "POST /projects",
  record: "$",
  change: "upsert",
  idempotency: { header: "Idempotency-Key" },
});`;

describe("check of declared readers and handlers", function () {
  this.timeout(SLOW_TEST_MS);
  let folder: string;

  before(async () => {
    folder = await declaredProject("http://127.0.0.1:9", "a-token-of-tests");
  });
  beforeEach(() => {
    writeHandler(folder, HANDLER);
    writeReader(folder, "Project", projectReader());
    writeReader(folder, "Timesheet", TIMESHEET_READER);
  });

  /** `code line: the author's text there`, of the codes that begin with `reader-`. */
  async function found(): Promise<readonly string[]> {
    const { findings } = await checkProject({ folder });
    return findings
      .filter(({ code }) => /^(?:reader-|handler-|declared-|run-|project-|silence-)/.test(code))
      .map(({ code, file = "", line = 0, column = 1, silenced }) => {
        const text =
          readFileSync(file, "utf8")
            .split("\n")
            [line - 1]?.slice(column - 1)
            .trim() ?? "";
        const end = silenced === undefined ? "" : ` (${silenced})`;
        return `${code} ${path.basename(file)}: ${text}${end}`;
      });
  }
  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    expect(text).to.include(from);
    writeFileSync(path.join(folder, file), text.replace(from, to));
  };

  it("finds nothing in readers that are as they should be, but a page without a size", async () => {
    expect(await found()).to.deep.equal([
      'reader-size-missing timesheet-reader.ts: pages: { kind: "cursor", send: "after", next: "next" },',
    ]);
  });

  it("names the line of each member", async () => {
    writeReader(
      folder,
      "Project",
      projectReader("each: (item: never) => item,")
        .replace("ProjectStatus", "ProjectStat")
        .replace('"GET /projects"', '"GET /timesheets"')
        .replace('items: "$"', 'items: "items"')
        .replace(/query: .*/, '$&\n  headers: { region: setting("region") },'),
    );
    writeReader(
      folder,
      "Timesheet",
      TIMESHEET_READER.replace(
        /next: "next"/,
        'next: { lastItem: "wek" }, size: { send: "limit", value: 50 }',
      )
        .replace(/since: .*/, 'since: {\n    property: "changedon", send: "since",\n  },')
        .replace(/ {2}deletedWhen.*\n/, ""),
    );
    expect(await found()).to.deep.equal([
      'declared-setting-unknown project-reader.ts: status: setting("ProjectStat", { as: { All: null }, default: null }) },',
      'declared-setting-unknown project-reader.ts: region: setting("region") },',
      "reader-each project-reader.ts: each: (item: never) => item,",
      'declared-property-unknown timesheet-reader.ts: lastItem: "wek" }, size: { send: "limit", value: 50 } },',
      "reader-deletes-missing timesheet-reader.ts: since: {",
      'declared-property-unknown timesheet-reader.ts: property: "changedon", send: "since",',
    ]);
  });

  it("finds lists that two objects share, and readers of the other type than their objects", async () => {
    writeReader(folder, "Timesheet", projectReader().replace("(Project,", "(Timesheet,"));
    writeReader(folder, "Project", projectReader('deletedWhen: { property: "status", is: "Lost" },'));
    expect(await found()).to.deep.equal([
      'reader-type-mismatch project-reader.ts: deletedWhen: { property: "status", is: "Lost" },',
      "reader-type-mismatch timesheet-reader.ts: defineReader(Timesheet, {",
      'reader-list-shared timesheet-reader.ts: list: "GET /projects",',
    ]);
  });

  it("looks into the list of what was deleted, which is a sign of deletes as a full read is", async () => {
    const deleted = `deleted: {
    list: "GET /gone",
    query: { of: setting("Nobody") },
    items: "items",
    pages: { kind: "linkHeader" },
  },`;
    writeReader(folder, "Timesheet", TIMESHEET_READER.replace(/deletedWhen.*/, deleted));
    const own = (await found()).filter((finding) => finding.includes(" timesheet-reader.ts"));
    expect(own).to.deep.equal([
      'reader-size-missing timesheet-reader.ts: pages: { kind: "cursor", send: "after", next: "next" },',
      'declared-setting-unknown timesheet-reader.ts: of: setting("Nobody") },',
      'reader-size-missing timesheet-reader.ts: pages: { kind: "linkHeader" },',
    ]);
    writeReader(folder, "Timesheet", TIMESHEET_READER.replace(/deletedWhen.*/, 'full: { every: "P7D" },'));
    expect((await found()).join()).to.not.include("reader-deletes-missing");
  });

  it("looks at handlers: what they send, what keeps them from acting twice, what the cache learns", async () => {
    writeHandler(
      folder,
      `defineHandler(CreateProject, {
  call: "POST /projects",
  body: { data: { ...rest, team: setting("Team") } },
  record: "$",
});`,
    );
    const own = (await found()).filter((finding) => finding.includes(" create-project-handler.ts"));
    expect(own).to.deep.equal([
      'handler-cache-untouched create-project-handler.ts: call: "POST /projects",',
      'handler-idempotency-missing create-project-handler.ts: call: "POST /projects",',
      'declared-setting-unknown create-project-handler.ts: team: setting("Team") } },',
    ]);
    writeHandler(folder, HANDLER);
    expect((await found()).join()).to.not.include("create-project-handler");
    writeHandler(
      folder,
      `defineHandler(CreateProject, {
  call: "DELETE /projects/{number}",
  path: { number: input("numbr") },
  query: { all: input("$"), title: input("title") },
  change: "delete",
  key: {
    ids: input("number"),
  },
  idempotency: {
    lookUp: {
      call: "GET /projects",
      items: "$",
      where: {
        nmber: input("number"),
        reference: 1,
      },
    },
  },
});`,
    );
    const properties = (await found()).filter((finding) => finding.includes(" create-project-handler.ts"));
    expect(properties).to.deep.equal([
      'declared-property-unknown create-project-handler.ts: number: input("numbr") },',
      'declared-property-unknown create-project-handler.ts: ids: input("number"),',
      'declared-property-unknown create-project-handler.ts: nmber: input("number"),',
    ]);
  });

  it("names the members of a query, which code turns into a declaration", async () => {
    writeReader(
      folder,
      "Project",
      `defineReader(Project, graphql({
  document: "query ($team: String, $after: String) { projects(after: $after, team: $team) { nodes { id } pageInfo { endCursor hasNextPage } } }",
  variables: {
    team: setting("Team"),
  },
  items: "projects.nodes",
  pages: { kind: "relay" },
}));`,
    );
    change(READER_FILES.Project, "defineReader, from", "defineReader, from, graphql");
    const own = (await found()).filter((finding) => finding.includes(" project-reader.ts"));
    expect(own).to.deep.equal([
      'declared-setting-unknown project-reader.ts: team: setting("Team"),',
      'reader-size-missing project-reader.ts: pages: { kind: "relay" },',
    ]);
  });

  it("names the members of an export, which has no size of pages", async () => {
    writeReader(
      folder,
      "Project",
      `defineReader(Project, exportJob({
  start: { call: "POST /exports", handle: "id" },
  poll: {
    call: "GET /{team}/exports/{handle}",
    path: {
      team: setting("Team"),
    },
  },
  download: { call: "GET /exports/{handle}/file", format: "csv" },
}));`,
    );
    change(READER_FILES.Project, "defineReader, from", "defineReader, from, exportJob");
    const own = (await found()).filter((finding) => finding.includes(" project-reader.ts"));
    expect(own).to.deep.equal(['declared-setting-unknown project-reader.ts: team: setting("Team"),']);
  });

  it("takes a sign of deletion that the record lacks for one of the answer, unless it looks misspelt", async () => {
    writeReader(folder, "Timesheet", TIMESHEET_READER.replace('"deleted"', '"change_on"'));
    expect(await found()).to.include(
      'declared-property-unknown timesheet-reader.ts: property: "change_on" },',
    );
  });

  it("looks for what is taken of a parent among the parent's properties", async () => {
    const parent = `${projectReader()}
const ofProjects = defineReader(Timesheet, {
  list: "GET /projects/{project}/timesheets",
  path: {
    project: from(READER, "idd"),
  },
  items: "$",
  pages: { kind: "one" },
});
unused.push(ofProjects as never)`;
    writeReader(folder, "Project", parent);
    const text = readFileSync(path.join(folder, READER_FILES.Project), "utf8");
    const [, name = ""] = /export const (\w+) = defineReader/.exec(text) ?? [];
    change(READER_FILES.Project, "from(READER", `from(${name}`);
    const own = (await found()).filter((finding) => finding.includes(" project-reader.ts"));
    expect(own).to.deep.equal([
      `reader-type-mismatch project-reader.ts: defineReader(Timesheet, {`,
      `declared-property-unknown project-reader.ts: project: from(${name}, "idd"),`,
    ]);
  });

  it("keeps silent where a comment says why, and calls no silence unused that it can't judge", async () => {
    const comment = "// connectorcli-silence reader-size-missing: the platform takes none";
    change(READER_FILES.Timesheet, "  pages:", `  ${comment}\n  pages:`);
    expect(await found()).to.include(
      'reader-size-missing timesheet-reader.ts: pages: { kind: "cursor", send: "after", next: "next" }, (the platform takes none)',
    );
    change(READER_FILES.Timesheet, 'next: "next" }', 'next: "next", size: { send: "limit", value: 9 } }');
    expect(await found()).to.include(`silence-unused timesheet-reader.ts: ${comment}`);
    change(READER_FILES.Project, '"GET /projects"', '"GIT /projects"');
    const unread = await found();
    expect(unread.join("\n"))
      .to.include("run-throws project-reader.ts:")
      .and.to.not.include("silence-unused");
  });

  it("says where a declaration that can't be read stands, and why", async () => {
    change(READER_FILES.Project, '"GET /projects"', '"GET /projects/{id}"');
    const { status, stdout } = await connectorcli(folder, "check");
    expect(stdout)
      .to.include(
        "The reader of Project can't be declared so: path.id is a value for {id} of GET /projects/{id}",
      )
      .and.to.match(/project-reader\.ts:\d+:\d+/);
    expect(status).to.equal(1);
  });

  it("asks for gen where what is generated is stale and the connector can't be loaded", async () => {
    const schema = "schemas/app/project.ts";
    const before = readFileSync(path.join(folder, schema), "utf8");
    writeFileSync(
      path.join(folder, schema),
      before.replace(/description: "[^"]*"/, 'description: "Another."'),
    );
    change(READER_FILES.Project, '"GET /projects"', '"GIT /projects"');
    const findings = await found();
    writeFileSync(path.join(folder, schema), before);
    expect(findings.map((finding) => finding.split(" ")[0])).to.deep.equal(["declared-unread"]);
  });
});
