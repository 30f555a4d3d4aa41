import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { FIXES } from "../../../scripts/fix/fixes.js";
import { connectorcli } from "../../support/command-line.js";
import { smallConnector } from "../../support/connector-sources.js";
import { folderWith } from "../../support/folders.js";
import { inRepository } from "../../support/repository.js";

const ID = 'id: Type.String({ description: "Identifier." }),';

/** Properties before and after, beside a required key; the rest of the file stays as it is. */
const PROPERTIES: Readonly<Record<string, readonly [before: string, after: string]>> = {
  "null said as OpenAPI says it": [
    'city: Type.Optional(Type.String({ nullable: true, description: "Where it lies." })),',
    'city: Type.Optional(Nullable(Type.String({ description: "Where it lies." }))),',
  ],
  "null denied as OpenAPI does": [
    'city: Type.String({ description: "Where it lies.", nullable: false }),',
    'city: Type.String({ description: "Where it lies." }),',
  ],
  "a list of members without null": [
    'status: Type.Unsafe({ type: ["string", "null"], enum: ["A", "B"], description: "Whether it is open." }),',
    'status: Type.Unsafe({ type: ["string", "null"], enum: ["A", "B", null], description: "Whether it is open." }),',
  ],
  "options without an effect, each in its turn": [
    'floors: Type.Integer({ maxLength: 3, minItems: 1, description: "How high it is." }),',
    'floors: Type.Integer({ description: "How high it is." }),',
  ],
};

/** What is not plainly written, or has more than one answer. */
const LEFT: Readonly<Record<string, string>> = {
  "options that are spread": `city: Type.String({ ...{ nullable: true }, description: "Where it lies." }),`,
  "an option with a comment": `floors: Type.Integer({ maxLength: 3, /* why */ description: "How high it is." }),`,
  "an option of a list's items": `list: Type.Array(Type.String({ minItems: 1 }), { description: "A list." }),`,
  "options in a constant": "city: Type.String(CITY),",
};

describe("connectorcli check --fix", () => {
  for (const [what, [before, after]] of Object.entries(PROPERTIES)) {
    it(`mends ${what}, and changes nothing else`, async () => {
      const { text, status, stderr } = await fix(smallConnector({ properties: `${ID} ${before}` }));
      expect(text).to.equal(smallConnector({ properties: `${ID} ${after}` }));
      expect(status).to.equal(0);
      expect(stderr).to.match(/^fixed connector\.ts:7:\d+ [a-z-]+\n/);
    });
  }

  for (const [what, property] of Object.entries(LEFT)) {
    it(`leaves ${what} to the author`, async () => {
      const before = 'const CITY = { nullable: true, description: "Where it lies." };';
      const source = smallConnector({ properties: `${ID} ${property}`, before });
      const { text, stdout } = await fix(source);
      expect(text).to.equal(source);
      expect(stdout).to.match(/nullable-not-json-schema|constraint-misplaced/);
    });
  }

  it("states the sensitivity that a connection property is taken to have", async () => {
    const stated = smallConnector();
    const { text } = await fix(stated.replace(", isSensitive: true", ""));
    expect(text).to.equal(stated);
  });

  it("imports what it writes, where it was not", async () => {
    const source = smallConnector({
      properties: `${ID} city: Type.String({ nullable: true, description: "Where it lies." }),`,
    });
    const { text, status } = await fix(
      source.replace(", Nullable,", ",").replace("export { Nullable };", ""),
    );
    expect(status).to.equal(0);
    expect(text).to.match(/import \{[^}]*Nullable[^}]*\} from "connectorcli"/);
    expect(text).to.include('Nullable(Type.String({ description: "Where it lies." }))');
  });

  it("leaves to the author what would need a name that the module has given to something else", async () => {
    const source = smallConnector({
      before: "const Nullable = 1;",
      properties: `${ID} city: Type.String({ nullable: true, description: "Where it lies." }),`,
    }).replace(", Nullable,", ",");
    const { text, stdout } = await fix(source);
    expect(text).to.equal(source);
    expect(stdout).to.include("nullable-not-json-schema").and.to.not.include("scaffold-unconfirmed");
  });

  it("requires a key property where no other could identify a record, and only there", async () => {
    const optional = 'id: Type.Optional(Type.String({ description: "Identifier." })),';
    const name = 'name: Type.String({ description: "What it is called." }),';
    const single = await fix(smallConnector({ properties: optional }));
    expect(single.text).to.equal(smallConnector({ properties: ID }));
    const several = smallConnector({ properties: `${optional} ${name}` });
    const left = await fix(several);
    expect({ text: left.text, status: left.status }).to.deep.equal({ text: several, status: 1 });
  });

  for (const [what, before, after] of [
    ["a list", '["id", "id"]', '["id"]'],
    ["a key with a name", '{ name: "id", properties: ["id", "id"] }', '{ name: "id", properties: ["id"] }'],
  ]) {
    it(`lists each property of ${what} once`, async () => {
      const key = (code = "") =>
        smallConnector({ options: `description: "A place of work.",\n  primaryKey: ${code},` });
      expect((await fix(key(before))).text).to.equal(key(after));
    });
  }

  it("keeps the first of a repeated name, so that the key keeps its order", async () => {
    const key = (code: string) =>
      smallConnector({
        options: `description: "A place of work.",\n  primaryKey: ${code},`,
        properties: `${ID} area: Type.String({ description: "Where it lies." }),`,
      });
    expect((await fix(key('["id", "area", "id"]'))).text).to.equal(key('["id", "area"]'));
  });

  it("makes edits that touch one after the other", async () => {
    // Both in one go would leave a comma behind nothing: one removes the only option, one adds another behind it.
    const stated = smallConnector();
    const only = (options: string) =>
      stated.replace('{ title: "API key", description: "", isSensitive: true }', options);
    const { text, stderr } = await fix(only("{ minItems: 1 }"));
    expect(text).to.equal(only("{ isSensitive: true }"));
    expect(stderr.match(/^fixed /gm)).to.have.length(2);
  });

  it("takes back a fix that leaves as many findings as there were", async () => {
    const before = `const extra = { floors: Type.Integer({ maxLength: 3, description: "How high it is." }) };
const words = extra.floors["maxLength"] === undefined ? "" : "How many there are.";`;
    const properties = `${ID} ...extra, rooms: Type.Integer({ description: words }),`;
    const source = smallConnector({ properties, before });
    const { text, stdout } = await fix(source);
    expect(text).to.equal(source);
    expect(stdout).to.include("scaffold-unconfirmed").and.to.include("another finding is still found");
  });

  it("keeps line endings, and says nothing where there is nothing to mend", async () => {
    const [before, after] = Object.values(PROPERTIES)[0] ?? ["", ""];
    const windows = (property: string) =>
      smallConnector({ properties: `${ID}\n  ${property}` }).replaceAll("\n", "\r\n");
    expect((await fix(windows(before))).text).to.equal(windows(after));
    expect((await fix(windows(after))).stderr).to.equal("0 errors, 0 warnings\n");
  });

  it("takes back what makes the project worse", async () => {
    // The same constant is counted on where its module is loaded: mending the option breaks it.
    const before = `const options: object = {};\nfunction counted<T extends { readonly maxLength?: unknown }>(type: T): T {
  if (type.maxLength === undefined) throw new Error("counted on");
  return type;
}
const extra = { floors: Type.Integer({ maxLength: 3, description: "How high it is." }) };
counted(extra.floors);`;
    const source = smallConnector({ properties: `${ID} ...extra,`, before });
    const { text, status, stdout } = await fix(source);
    expect(text).to.equal(source);
    expect(status).to.equal(1);
    expect(stdout).to.include("scaffold-unconfirmed").and.include("counted on");
  });

  it("does what docs/checks.md says of each fix", () => {
    const rows = Object.entries(FIXES).map(([code, { does }]) => `| \`${code}\` | ${does} |`);
    const page = readFileSync(inRepository("docs/checks.md"), "utf8");
    expect(page.split("\n").filter((line) => rows.includes(line))).to.deep.equal(rows);
  });

  it("is not combined with a comparison", async () => {
    const { status } = await connectorcli(folderWith({}), "check", "--fix", "--against", "main");
    expect(status).to.equal(2);
  });
});

async function fix(source: string) {
  const folder = folderWith({ "connector.ts": source });
  const result = await connectorcli(folder, "check", "--fix");
  return { ...result, text: readFileSync(path.join(folder, "connector.ts"), "utf8") };
}
