import { readFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import { readConnectorJson } from "../../schemas/entries/model.js";
import { jsonText } from "../../schemas/formats/json-text.js";
import { fromPlain } from "../../schemas/json.js";
import { inRepository, runs, SLOW_TEST_MS } from "../support/repository.js";

const SOUND: unknown = JSON.parse(readFileSync(inRepository("test/golden/actions/connector.json"), "utf8"));

type Steps = readonly (string | number)[];

/** The text of the sound file, with the value at `steps` changed. */
function soundFileWith(
  steps: Steps,
  change: (holder: Record<string | number, unknown>, last: string | number) => void,
) {
  const copy: unknown = structuredClone(SOUND);
  const holder = steps.slice(0, -1).reduce((value: unknown, step) => Reflect.get(Object(value), step), copy);
  change(holder as Record<string | number, unknown>, steps.at(-1) ?? "");
  return jsonText(fromPlain(copy));
}

const object = ["modules", 0, "dataObjects", 1] as const;

describe("readConnectorJson", () => {
  it("reads a sound file, with a byte order mark and other line ends too", () => {
    const text = jsonText(fromPlain(SOUND));
    for (const same of [text, `\ufeff${text}`, text.replace(/\n/g, "\r\n"), `${text}\n`]) {
      expect(readConnectorJson(same, "c.json").diagnostics).to.deep.equal([]);
    }
  });

  for (const [key, attribute, authType] of [
    ["apiKeyAuth", "apiKey", "ApiKey"],
    ["apiKeyAuth", "token", "Custom"],
    ["basicAuth", "username", "Custom"],
  ] as const) {
    it(`takes ${key} with the property ${attribute} for ${authType}`, () => {
      const text = soundFileWith(["connectionDefinitions"], (holder, last) => {
        const attributes = [
          { key: attribute, title: "", description: "", isSensitive: true, isRequired: true },
        ];
        holder[last] = [{ key, name: "", description: "", type: "Standard", attributes }];
      });
      expect(readConnectorJson(text, "c.json").model?.connections[0]?.authType).to.equal(authType);
    });
  }

  for (const [steps, value, problem] of [
    [["name"], 5, /"name"/],
    [["key"], null, /"key"/],
    [["connectionDefinitions"], {}, /"connectionDefinitions"/],
    [["configSchema"], "x", /"configSchema"/],
    [["configSchema"], false, /"configSchema"/],
    [["modules"], null, /"modules"/],
    [["modules", 0], [], /"0"/],
    [["modules", 0, "version"], 1.5, /"version"/],
    [["modules", 0, "services"], [], /"services"/],
    [["modules", 0, "services", 0, "type"], "CacheWriter", /"type"/],
    [[...object, "createEndpoint"], "true", /"createEndpoint"/],
    [[...object, "keys", 0, "propertyNames"], "id", /"propertyNames"/],
    [[...object, "keys", 0, "propertyNames", 0], 1, /"0"/],
    [[...object, "schema", "required"], "id", /"required"/],
    [[...object, "schema", "properties", "id", "type"], 1, /"type"/],
    [[...object, "schema", "properties", "id", "description"], {}, /"description"/],
    [[...object, "actions", 0, "inputSchema", "properties"], [], /"properties"/],
  ] as [Steps, unknown, RegExp][]) {
    const pointer = `/${steps.join("/")}`;

    it(`says in one finding that ${pointer} is ${JSON.stringify(value)}`, () => {
      const text = soundFileWith(steps, (holder, last) => {
        holder[last] = value;
      });
      const { model, diagnostics } = readConnectorJson(text, "c.json");
      expect(model).to.equal(undefined);
      expect(diagnostics).to.have.lengthOf(1);
      const [found] = diagnostics;
      expect(found).to.include({ code: "format-mismatch", file: "c.json", pointer });
      expect(found?.message).to.match(problem);
      const line = text.split("\n")[(found?.line ?? 0) - 1] ?? "";
      const last = steps.at(-1);
      if (typeof last === "string") expect(line).to.include(`"${last}"`);
      expect(found?.column).to.be.greaterThan(1);
    });
  }

  it("says what is missing, and where it should stand", () => {
    const text = soundFileWith([...object, "keys"], (holder, last) => delete holder[last]);
    const { diagnostics } = readConnectorJson(text, "c.json");
    expect(diagnostics.map(({ pointer, message }) => [pointer, message])).to.deep.equal([
      ["/modules/0/dataObjects/1/keys", 'This is not a connector.json: "keys" is missing.'],
    ]);
  });

  it("says what does not belong there", () => {
    const text = soundFileWith(["modules", 0, "id"], (holder, last) => {
      holder[last] = "app-1";
    });
    const { diagnostics } = readConnectorJson(text, "c.json");
    expect(diagnostics.map(({ pointer, message }) => [pointer, message])).to.deep.equal([
      ["/modules/0/id", 'This is not a connector.json: "id" does not belong here.'],
    ]);
  });

  it("never throws, whatever value stands anywhere in the file", () => {
    const places = placesIn(SOUND, []);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (steps, value) => {
        const text = soundFileWith(steps, (holder, last) => {
          holder[last] = value;
        });
        const { model, diagnostics } = readConnectorJson(text, "c.json");
        expect(model === undefined).to.equal(diagnostics.length > 0);
        for (const { message, line } of diagnostics) {
          expect(message).to.not.include("undefined");
          expect(line).to.be.a("number");
        }
      }),
      { numRuns: runs(200) },
    );
  }).timeout(SLOW_TEST_MS);

  it("gives one finding each for the other faults, at most a hundred", () => {
    const text = soundFileWith(["modules"], (holder, last) => {
      holder[last] = Array.from({ length: 500 }, () => 1);
    });
    expect(readConnectorJson(text, "c.json").diagnostics).to.have.lengthOf(100);
  });

  it("refuses a file that is JSON but holds one value only", () => {
    for (const text of ["null", "1", '""', "[]", "{}"]) {
      const { diagnostics } = readConnectorJson(text, "c.json");
      expect(diagnostics.length, text).to.be.greaterThan(0);
      expect(diagnostics[0]).to.include({ code: "format-mismatch", line: 1, column: 1 });
    }
  });
});

function placesIn(value: unknown, steps: Steps): readonly Steps[] {
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([step, inner]) => [[...steps, step], ...placesIn(inner, [...steps, step])]);
}
