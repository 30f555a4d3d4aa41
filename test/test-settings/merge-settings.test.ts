import { expect } from "chai";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { initialValue, mergeSettings } from "../../generators/test-settings/merge-settings.js";
import { type SettingsMembers, settingsShape } from "../../generators/test-settings/settings-shape.js";
import { readConnectorJson } from "../../schemas/entries/model.js";
import { connectorJsonTexts } from "../support/arbitraries.js";
import { runs } from "../support/repository.js";

function shapeOf(...names: readonly string[]): SettingsMembers {
  const value = {
    kind: "value",
    schema: { kind: "string", nullable: false, keywords: [] },
    required: true,
    isSensitive: true,
    options: [],
  } as const;
  const configuration: SettingsMembers = {
    kind: "members",
    required: true,
    members: names.map((name) => [name, value]),
  };
  return {
    kind: "members",
    required: true,
    members: [
      ["activeConnection", value],
      ["connections", { kind: "connections", entries: [["apiKeyAuth", configuration]] }],
    ],
  };
}

function merge(present: string, ...names: readonly string[]) {
  return mergeSettings(shapeOf(...names), present, "test-settings.json");
}

describe("mergeSettings", () => {
  it("puts what is missing between its neighbours, in the layout of the file, and leaves comments on their lines", () => {
    const present = `{
    // mine
    "testSettings": {
        "activeConnection": "apiKeyAuth", // the first
        "connections": [
            {
                "definitionKey": "apiKeyAuth",
                "configuration": {
                    "apiKey": "k", // from the portal
                    "tenant": "t" // last
                } /* end */
            }
        ]
    }
}
`;
    const { text, diagnostics } = merge(present, "apiKey", "region", "tenant", "user");
    expect(diagnostics).to.deep.equal([]);
    expect(text).to.equal(
      present
        .replace("// from the portal\n", '// from the portal\n                    "region": "",\n')
        .replace('"t" // last\n', '"t", // last\n                    "user": ""\n'),
    );
  });

  it("turns on the switches that a run needs, and no other setting that is true or false", () => {
    const setting = {
      ...({ kind: "value", required: true, isSensitive: false, options: [] } as const),
      schema: { kind: "boolean", nullable: false, keywords: [] } as const,
    };
    expect(initialValue({ ...setting, isSwitch: true }, "UploadObject")).to.equal(true);
    expect(initialValue(setting, "IncludeArchived")).to.equal(null);
    const text = { kind: "string", nullable: false, keywords: [] } as const;
    expect(initialValue({ ...setting, isSwitch: true, schema: text }, "Region")).to.equal("");
  });

  it("fills in defaults of the schema, but none that would be read as a variable of the environment", () => {
    const settingWith = (text: string) => ({
      ...({ kind: "value", required: true, isSensitive: false, options: [] } as const),
      schema: { kind: "string", nullable: false, keywords: [{ name: "default", value: text }] } as const,
    });
    expect(initialValue(settingWith("west"), "region")).to.equal("west");
    expect(initialValue(settingWith(`\${AWS_SECRET}`), "region")).to.equal("");
  });

  it("keeps line endings, tabs and trailing commas", () => {
    const present = '{\r\n\t"testSettings": {\r\n\t\t"activeConnection": "",\r\n\t},\r\n}\r\n';
    const { text } = merge(present);
    expect(text.replace(/\r\n/g, "")).to.not.include("\n");
    expect(text).to.include('\r\n\t\t"connections": [\r\n\t\t\t{\r\n\t\t\t\t"definitionKey": "apiKeyAuth",');
    expect(parse(text, [], { allowTrailingComma: true }).testSettings.connections).to.have.length(1);
  });

  it("warns of every name that the connector does not have, with the nearest right one, and keeps its value", () => {
    const configuration = '{ "apiKei": "k", "apiKey": "" }';
    const present = `{ "testSettings": { "activeConnection": "", "connections": [
      { "definitionKey": "apiKeyAuth", "configuration": ${configuration} }, { "definitionKey": "apiKeyOuth" }
    ] } }`;
    const { text, diagnostics } = merge(present, "apiKey");
    expect(text).to.equal(present);
    expect(diagnostics.map(({ code, line }) => [code, line])).to.deep.equal([
      ["settings-unknown", 2],
      ["settings-unknown", 2],
    ]);
    expect(diagnostics[0]?.message).to.include("apiKei").and.to.include('Did you mean "apiKey"?');
    expect(diagnostics[1]?.message).to.include("apiKeyOuth").and.to.include('Did you mean "apiKeyAuth"?');
  });

  it("stops at what has the wrong form, and changes nothing", () => {
    for (const present of [
      '{ "testSettings": [] }',
      '{ "testSettings": { "connections": {} } }',
      "[1",
      "{,}",
    ]) {
      const { text, diagnostics } = merge(present, "apiKey");
      expect(text).to.equal(present);
      expect(diagnostics.some(({ severity }) => severity === "error")).to.equal(true);
    }
  });

  it("counts a definition key that stands twice once, and says so", () => {
    const entry = '{ "definitionKey": "apiKeyAuth", "configuration": { "apiKey": "" } }';
    const present = `{ "testSettings": { "activeConnection": "", "connections": [${entry}, ${entry}] } }`;
    const { text, diagnostics } = merge(present, "apiKey");
    expect(text).to.equal(present);
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(["settings-connection-twice"]);
  });

  it("keeps every filled value of any file, whatever was taken out of it, and then has nothing left to add", () => {
    const removal = fc.array(fc.nat(), { maxLength: 12 });
    fc.assert(
      fc.property(connectorJsonTexts, removal, fc.boolean(), (json, cuts, indented) => {
        const { model } = readConnectorJson(json, "connector.json");
        if (model === undefined) return;
        const shape = settingsShape(model);
        const whole = mergeSettings(shape, undefined, "f").text;
        const value = JSON.parse(whole);
        const filled = fillAndCut(value, cuts);
        const present = JSON.stringify(value, undefined, indented ? "\t" : undefined);
        const first = mergeSettings(shape, present, "f");
        expect(first.diagnostics.filter(({ severity }) => severity === "error")).to.deep.equal([]);
        const again = JSON.parse(first.text);
        for (const [path, kept] of filled) expect(at(again, path), path.join("/")).to.equal(kept);
        expect(namesIn(again)).to.deep.equal(namesIn(JSON.parse(whole)));
        expect(mergeSettings(shape, first.text, "f").text).to.equal(first.text);
      }),
      { numRuns: runs(50) },
    );
  });
});

type Path = readonly (string | number)[];

/** Fills in every text, cuts some members out, and gives what is left with its values. */
function fillAndCut(value: unknown, cuts: readonly number[]): readonly (readonly [Path, unknown])[] {
  const leaves = leavesOf(value, []).filter(
    ([path, leaf]) => path.at(-1) !== "definitionKey" && (typeof leaf !== "object" || leaf === null),
  );
  for (const [index, [path]] of leaves.entries()) {
    const holder = at(value, path.slice(0, -1)) as Record<string, unknown>;
    if (cuts.includes(index)) delete holder[String(path.at(-1))];
    else holder[String(path.at(-1))] = `filled ${index}`;
  }
  return leaves.filter((_, index) => !cuts.includes(index)).map(([path]) => [path, at(value, path)]);
}

function leavesOf(value: unknown, path: Path): readonly (readonly [Path, unknown])[] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[String(step)], value);
}

/** Every name, in its order: order is part of what stays. */
function namesIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return null;
  return Object.entries(value).map(([name, inner]) => [name, namesIn(inner)]);
}
