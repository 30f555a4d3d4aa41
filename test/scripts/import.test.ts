import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { jsonText } from "../../schemas/formats/json-text.js";
import { fromPlain } from "../../schemas/json.js";
import { readTextIfExists } from "../../scripts/system/read-text.js";
import { connectorcli } from "../support/command-line.js";
import { filesIn, folderWith } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

const EXAMPLE = readFileSync(inRepository("examples/projects-api/connector.json"), "utf8");

/** The example's file with `change` made to it, written as JSON.stringify writes. */
function exampleWith(change: (json: ReturnType<typeof JSON.parse>) => void): string {
  const json = JSON.parse(EXAMPLE);
  change(json);
  return JSON.stringify(json, undefined, 2);
}

/** The same, written as the reference tool writes. */
function changedExactly(change: (json: ReturnType<typeof JSON.parse>) => void): string {
  return jsonText(fromPlain(JSON.parse(exampleWith(change))));
}

/** `value`, members of all objects sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

/** Imports `text` into `out`; the code of the first object and of the settings, what was said, and what an extract gives. */
async function imported(text: string, ...options: readonly string[]) {
  const folder = folderWith({ "in.json": text });
  const { status, stderr } = await connectorcli(
    ...[folder, "import", "connector-json", "in.json", "--directory", "out", ...options],
  );
  const project = path.join(folder, "out");
  if (status !== 0) return { status, said: stderr, code: "", settings: "", extracted: "" };
  await connectorcli(project, "extract", "--allow-errors");
  return {
    status,
    said: stderr,
    code: readFileSync(path.join(project, "schemas/app/project.ts"), "utf8"),
    settings: readTextIfExists(path.join(project, "schemas/app/configuration.ts")) ?? "",
    extracted: readFileSync(path.join(project, "connector.json"), "utf8"),
  };
}

describe("connectorcli import connector-json", () => {
  it("makes a project whose extract is the file again", async () => {
    const folder = folderWith({ "in.json": EXAMPLE });
    const { status, stderr } = await connectorcli(
      folder,
      "import",
      "connector-json",
      "in.json",
      "--directory",
      "out",
    );
    expect(status, stderr).to.equal(0);
    expect(stderr).to.include("created connector.ts").and.to.include("created schemas/app/project.ts");
    await connectorcli(folder, "extract", "--connector-path", "out");
    expect(readFileSync(path.join(folder, "out/connector.json"), "utf8")).to.equal(EXAMPLE);
  });

  it("names a file that is there already, and writes nothing", async () => {
    const folder = folderWith({ "in.json": EXAMPLE, "out/connector.ts": "// mine\n" });
    const { status, stderr } = await connectorcli(
      folder,
      "import",
      "connector-json",
      "in.json",
      "--directory",
      "out",
    );
    expect(status).to.equal(1);
    expect(stderr).to.include("file-exists").and.to.include("connector.ts");
    expect(filesIn(folder)).to.deep.equal(["in.json", "out/connector.ts"]);
  });

  it("writes nothing outside the folder, whatever names the file holds", async () => {
    const text = exampleWith((json) => {
      json.key = json.urlPart = "../../x";
      json.modules[0].key = json.modules[0].urlPart = "../../../y";
      json.modules[0].name = "/etc/passwd";
      json.modules[0].dataObjects[0].name = json.modules[0].dataObjects[0].urlPart = "..\\..\\z";
      json.connectionDefinitions[0].key = "../c";
    });
    const folder = folderWith({ "a/b/c/in.json": text });
    const here = path.join(folder, "a/b/c");
    const { status, stderr } = await connectorcli(
      here,
      "import",
      "connector-json",
      "in.json",
      "--directory",
      "out",
    );
    expect(status, stderr).to.equal(0);
    const outside = filesIn(folder).filter((file) => !file.startsWith("a/b/c/out/"));
    expect(outside).to.deep.equal(["a/b/c/in.json"]);
  });

  it("follows no link that leads out of the folder", async () => {
    const folder = folderWith({ "in.json": EXAMPLE, "elsewhere/.keep": "" });
    mkdirSync(path.join(folder, "out"));
    symlinkSync(path.join(folder, "elsewhere"), path.join(folder, "out", "schemas"), "junction");
    const { status, stderr } = await connectorcli(
      folder,
      "import",
      "connector-json",
      "in.json",
      "--directory",
      "out",
    );
    expect(status).to.equal(1);
    expect(stderr).to.include("file-outside");
    expect(filesIn(path.join(folder, "elsewhere"))).to.deep.equal([".keep"]);
  });

  it("--repair makes key properties required and lists each change with its line", async () => {
    const text = exampleWith((json) => {
      json.modules[0].dataObjects[0].schema.required = ["title"];
      json.modules[0].dataObjects[1].schema.properties.week.type = ["string", "null"];
    });
    const folder = folderWith({ "in.json": text });
    const { status, stderr } = await connectorcli(
      folder,
      "import",
      "connector-json",
      "in.json",
      "--directory",
      "out",
      "--repair",
    );
    expect(status, stderr).to.equal(0);
    expect(stderr).to.match(
      /in\.json:\d+:\d+ {2}info {2}import-repaired\n {4}"id" of "Project" is required now/,
    );
    expect(stderr).to.include('"number" of "Project"').and.to.include('"week" of "Timesheet"');
    const check = await connectorcli(folder, "check", "--connector-path", "out");
    expect(check.stdout).to.not.include("key-property");
  });

  it("--repair gives a project that extracts and generates, also where a key has a name with commas", async () => {
    const text = exampleWith((json) => {
      json.modules[0].dataObjects[0].keys[0].urlPart = "id,number";
    });
    const folder = folderWith({ "in.json": text });
    const imported = await connectorcli(
      ...[folder, "import", "connector-json", "in.json", "--directory", "out", "--repair"],
    );
    expect(imported.status, imported.stderr).to.equal(0);
    const check = await connectorcli(folder, "check", "--connector-path", "out");
    expect(check.stdout).to.include("key-name-unsafe");
    expect(check.stderr).to.match(/^0 errors/);
    for (const command of ["extract", "gen"]) {
      const { status, stderr } = await connectorcli(folder, command, "--connector-path", "out");
      expect(status, stderr).to.equal(0);
    }
    expect(readFileSync(path.join(folder, "out/connector.json"), "utf8")).to.include('"id,number"');
  }).timeout(SLOW_TEST_MS);

  it("keeps another order of members beside an honest schema, byte for byte", async () => {
    const text = changedExactly((json) => {
      const { schema } = json.modules[0].dataObjects[0];
      schema.required.reverse();
      const { description, type, ...rest } = schema.properties.number;
      schema.properties.number = { description, type: [type, "null"].reverse(), ...rest };
      schema.properties.tags = { description: "Words.", type: "array", items: { type: "string" } };
    });
    const { said, code, extracted } = await imported(text);
    expect(extracted).to.equal(text);
    expect(said).to.not.include("warning");
    expect(code).to.not.include("Unsafe").and.to.not.include("no property has this name");
    expect(code).to.include('keywords: ["description", "type", "minLength", "maxLength"]');
    expect(code)
      .to.include('type: ["null", "string"]')
      .and.to.match(/required: \[\s*"created_on",\s*"budget"/);
  });

  it("writes nothing of an order that no extract can reach, and says once that it differs", async () => {
    const text = JSON.stringify(sorted(JSON.parse(EXAMPLE)), undefined, 2);
    const { said, code } = await imported(text, "--repair");
    expect(code)
      .to.not.include("Unsafe")
      .and.to.not.include("jsonForm")
      .and.to.not.include("@ts-expect-error");
    expect(said.match(/^\S+ {2}(?:warning|error) {2}.*$/gm)).to.deep.equal([
      "in.json:2  warning  import-differs",
    ]);
  });

  it("writes combinations and constants as TypeBox types, byte for byte", async () => {
    const text = changedExactly((json) => {
      Object.assign(json.modules[0].dataObjects[0].schema.properties, {
        either: { anyOf: [{ type: "string" }, { type: "object", properties: { a_b: { type: "integer" } } }] },
        orNull: { description: "Text.", anyOf: [{ type: "string" }, { type: "null" }] },
        exactlyOne: { oneOf: [{ type: "string" }, { type: "integer" }] },
        oneOrOther: { anyOf: [{ const: "a" }, { const: "b" }] },
        ofLists: {
          anyOf: [
            { type: "string", enum: ["a"] },
            { type: "string", enum: ["b"] },
          ],
        },
        constant: { const: "x" },
        typed: { type: "boolean", const: true, description: "Always true." },
      });
    });
    const { said, code, extracted } = await imported(text);
    expect(extracted).to.equal(text);
    expect(said).to.not.include("warning");
    expect(code).to.not.include("Unsafe");
    expect(code).to.include("either: Type.Optional(Type.Union([\n      Type.String(),\n      Type.Object({");
    expect(code).to.include("exactlyOne: Type.Optional(Type.Union([Type.String(), Type.Integer()], {\n");
    expect(code).to.include('keywords: ["oneOf"]').and.to.include("Type.Union([Type.String(), Type.Null()]");
    expect(code).to.include('Type.Literal("x", {').and.to.include("Type.Literal(true, {");
  });

  it("writes a shape once where the shapes that use it can reach it, in whatever file they stand", async () => {
    const place = { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } };
    const person = { type: "object", properties: { name: { type: "string" }, home: place } };
    const text = changedExactly((json) => {
      const { dataObjects } = json.modules[0];
      const [project] = dataObjects;
      const archive = { ...project, name: "Archive", urlPart: "archive", key: "archive", actions: [] };
      const { properties } = project.schema;
      archive.schema = { ...project.schema, properties: { ...properties, author: person } };
      project.schema.properties = { ...properties, lead: person, yard: place };
      dataObjects.push(archive);
    });
    const { code, extracted } = await imported(text);
    expect(extracted).to.equal(text);
    expect(code)
      .to.match(/lead: Type\.Optional\(\w+\)/)
      .and.to.match(/yard: Type\.Optional\(\w+\)/);
  });

  it("writes a setting of the shape of a switch by the switch's name", async () => {
    const text = changedExactly((json) => {
      Object.assign(json.modules[0].services[1].configSchema.properties, {
        ArchiveConfig: { type: "object", properties: { UploadObject: { type: "boolean" } } },
        Limits: { type: "object", properties: { Most: { type: "integer" } } },
      });
    });
    const { settings, extracted } = await imported(text);
    expect(extracted).to.equal(text);
    expect(settings).to.match(/archiveConfig: Type\.Optional\(CacheWriterObjectConfig\(/);
    expect(settings).to.match(/limits: Type\.Optional\(Type\.Object\(/);
  });

  it("says the truth of keys in a schema that TypeBox has no type for", async () => {
    const text = changedExactly((json) => {
      json.modules[0].dataObjects[0].schema.required = ["nothing", "number"];
      json.modules[0].dataObjects[0].keys.push({
        urlPart: "x",
        propertyNames: ["absent", "gone"],
        isPrimary: false,
      });
    });
    const { said, code } = await imported(text, "--repair");
    expect(code).to.include('"id": the compiler can\'t see the properties of such a schema.');
    expect(said).to.include(
      'uses "id", which may be absent or null in a schema that TypeBox has no type for',
    );
    expect(said).to.include('names "absent", and no property has that name');
    expect(said).to.not.include('"number"');
  });

  it("says what is wrong with keys that no definition can have, above them", async () => {
    const number = { urlPart: "number", propertyNames: ["number"], isPrimary: false };
    const id = { urlPart: "id", propertyNames: ["id"], isPrimary: true };
    for (const [keys, words] of [
      [[number], "has no primary key for this object"],
      [[id, { ...number, isPrimary: true }], "has several primary keys for this object"],
      [[number, id], "lists the primary key behind others"],
    ] as const) {
      const text = changedExactly((json) => {
        json.modules[0].dataObjects[0].keys = keys;
      });
      expect((await imported(text)).code).to.include(words);
    }
  });

  it("names each number that is rounded, with its place, and does not say that nothing is lost", async () => {
    const exact = changedExactly((json) => {
      const { properties } = json.modules[0].dataObjects[0].schema;
      properties.budget.maximum = 12345;
      properties.budget.minimum = 1e21;
    });
    const text = exact.replace("12345", "9223372036854775807").replace("1e+21", "1.0e21");
    const { said, code } = await imported(text);
    expect(said.match(/import-number-rounded\n.*/g)).to.deep.equal([
      "import-number-rounded\n    The number 9223372036854775807 can't be kept exactly: it becomes 9223372036854776000. (§1.6)",
    ]);
    expect(said).to.match(/^in\.json:\d+:\d+ {2}warning {2}import-number-rounded/m);
    expect(said).to.include("Nothing is lost but the exact value of the numbers that are rounded");
    expect(code).to.include("maximum: 9223372036854776000");
  });

  it("keeps what is nested too deeply for a compiler as text, and says so", async () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 190; level++) deep = { type: "object", properties: { a: deep } };
    let values: object = { type: "integer" };
    for (let level = 0; level < 190; level++) values = { anyOf: [values, { type: "boolean" }] };
    const text = changedExactly((json) => {
      Object.assign(json.modules[0].dataObjects[0].schema.properties, { deep, values });
    });
    const { said, code, extracted } = await imported(text);
    expect(extracted).to.equal(text);
    expect(said.match(/in\.json:\d+:\d+ {2}info {2}import-too-deep/g)).to.have.length(1);
    const depths = code.split("\n").map((line) => line.search(/\S/) / 2);
    expect(Math.max(...depths)).to.be.lessThan(60);
    expect(code.match(/ExactJson\(/g)).to.have.length(2);
  });

  it("says where extracting would give other bytes", async () => {
    const folder = folderWith({ "in.json": `${EXAMPLE}\n` });
    const { status, stderr } = await connectorcli(
      folder,
      "import",
      "connector-json",
      "in.json",
      "--directory",
      "out",
    );
    expect(status).to.equal(0);
    expect(stderr).to.include("import-differs").and.to.include("white space at its end");
  });

  const REFUSED: readonly (readonly [what: string, text: string, words: RegExp])[] = [
    ["a truncated file", EXAMPLE.slice(0, 900), /in\.json:\d+:\d+ {2}error {2}json-syntax/],
    ["an empty file", "", /in\.json:1:1 {2}error {2}json-syntax/],
    ["a file of another kind", '{"hello": "world"}', /format-mismatch[\s\S]*"name" is missing/],
    [
      "a name that stands twice",
      EXAMPLE.replace('"urlPart"', '"name": "x",\n  "urlPart"'),
      /in\.json:3:3 {2}error {2}json-duplicate-name/,
    ],
    ["nesting without end", "[".repeat(200_000), /json-too-deep/],
    [
      "a wrong type",
      exampleWith((json) => {
        json.modules[0].dataObjects[0].schema.properties.title.description = 7;
      }),
      /in\.json:\d+:\d+ {2}error {2}format-mismatch[\s\S]*"description": expected string/,
    ],
  ];
  for (const [what, text, words] of REFUSED) {
    it(`refuses ${what} with one clear finding, and writes nothing`, async () => {
      const folder = folderWith({ "in.json": text });
      const { status, stderr } = await connectorcli(
        folder,
        "import",
        "connector-json",
        "in.json",
        "--directory",
        "out",
      );
      expect(status).to.equal(1);
      expect(stderr).to.match(words).and.to.include("nothing written (");
      expect(filesIn(folder)).to.deep.equal(["in.json"]);
    });
  }

  it("refuses a file that is not there", async () => {
    const { status, stderr } = await connectorcli(
      folderWith({}),
      "import",
      "connector-json",
      "no.json",
      "--directory",
      "out",
    );
    expect(status).to.equal(1);
    expect(stderr).to.include("file-missing");
  });

  it("refuses a file that is too large to be a connector.json", async () => {
    const folder = folderWith({});
    writeFileSync(path.join(folder, "in.json"), Buffer.alloc(65 * 1024 * 1024, 32));
    const { status, stderr } = await connectorcli(
      folder,
      "import",
      "connector-json",
      "in.json",
      "--directory",
      "out",
    );
    expect(status).to.equal(1);
    expect(stderr).to.include("file-too-large");
  });
});
