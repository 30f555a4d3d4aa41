import { expect } from "chai";
import fc from "fast-check";
import { readDocumentText } from "../../generators/openapi/reading/document-text.js";
import { applyOverlays } from "../../generators/openapi/reading/overlays.js";
import { readDescription } from "../../generators/openapi/reading/read-description.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";

const DOCUMENT = `openapi: 3.1.0
info:
  title: Shop
  version: "1"
paths:
  /items:
    get:
      tags: [a, dummy, b]
      parameters:
        - { name: filter, in: query }
        - { name: dummy, in: query }
      responses:
        200: { description: OK }
  /some-items:
    delete:
      responses: {}
`;

interface Result {
  readonly value: unknown;
  /** Where parts stand, as `file:line`. */
  readonly place: (...steps: readonly string[]) => string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The document with overlays of these actions, each in YAML, one file an overlay. */
function overlaid(...overlays: readonly (readonly string[])[]): Result {
  return withOverlays(
    DOCUMENT,
    overlays.map(
      (actions) => `overlay: 1.1.0\ninfo: { title: T, version: "1" }\nactions:\n${actions.join("\n")}\n`,
    ),
  );
}

function withOverlays(document: string, overlays: readonly string[]): Result {
  const read = readDocumentText(document, "api.yaml");
  if ("code" in read) throw new Error(read.message);
  const files = overlays.map((text, index) => ({ name: `${index + 1}.overlay.yaml`, text }));
  const { text, diagnostics } = applyOverlays(read, files);
  const place = (...steps: readonly string[]) => {
    const { file, line } = text.placeOf(steps);
    return `${file}:${line}`;
  };
  return { value: text.value, place, diagnostics };
}

function problems({ diagnostics }: Result): readonly string[] {
  return diagnostics.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

/** The one operation of the document, changed. */
function operationOf({ value, diagnostics }: Result): Record<string, unknown> {
  expect(diagnostics).to.deep.equal([]);
  return (
    (value as Record<string, Record<string, Record<string, Record<string, unknown>>>>)["paths"]?.["/items"]?.[
      "get"
    ] ?? {}
  );
}

describe("overlays", () => {
  it("merge objects, add to lists, replace texts, and leave the rest", () => {
    const result = overlaid([
      "- target: $.paths['/items'].get",
      "  update: { summary: All, tags: [c], responses: { 200: { description: Fine } } }",
      "- target: $.paths.*.get.parameters",
      "  update: { name: page, in: query }",
      "- target: $.paths['/items'].get.tags",
      "  update: [d, e]",
      "- target: $.paths['/items'].get.summary",
      "  update: Everything",
    ]);
    expect(operationOf(result)).to.deep.equal({
      tags: ["a", "dummy", "b", "c", "d", "e"],
      parameters: [
        { name: "filter", in: "query" },
        { name: "dummy", in: "query" },
        { name: "page", in: "query" },
      ],
      responses: { 200: { description: "Fine" } },
      summary: "Everything",
    });
  });

  it("remove members, items by what they hold, and texts", () => {
    const result = overlaid([
      "- target: $.paths.*.get.parameters[?@.name == 'dummy']",
      "  remove: true",
      "- target: $.paths.*.get.tags[?@ == 'dummy']",
      "  remove: true",
      "- target: $..responses",
      "  remove: true",
    ]);
    expect(operationOf(result)).to.deep.equal({
      tags: ["a", "b"],
      parameters: [{ name: "filter", in: "query" }],
    });
  });

  it("copy and move a part", () => {
    const { value, diagnostics } = overlaid([
      "- target: $.paths",
      '  update: { "/new-items": {} }',
      "- target: $.paths['/new-items']",
      "  copy: $.paths['/items']",
      "- target: $.paths['/items']",
      "  remove: true",
    ]);
    expect(diagnostics).to.deep.equal([]);
    expect(Object.keys((value as { paths: object }).paths)).to.deep.equal(["/some-items", "/new-items"]);
  });

  it("copy what holds the place that it is copied to", () => {
    const { value, diagnostics } = overlaid(["- target: $.info", "  copy: $"]);
    expect(diagnostics).to.deep.equal([]);
    expect(value).to.have.nested.property("info.info.title", "Shop");
    expect(value).to.not.have.nested.property("info.info.info");
  });

  it("are applied one after the other, each to what the one before made", () => {
    const result = overlaid(
      ["- target: $.paths['/items'].get", "  update: { deprecated: true }"],
      ["- target: $.paths.*[?@.deprecated == true]", "  update: { summary: Old }"],
    );
    expect(operationOf(result)).to.include({ deprecated: true, summary: "Old" });
  });

  it("change one place of what an alias repeats", () => {
    const { value, diagnostics } = withOverlays("a: &one { b: 1 }\nc: *one\n", [
      "overlay: 1.0.0\nactions: [{ target: $.c, update: { d: 2 } }]",
    ]);
    expect(diagnostics).to.deep.equal([]);
    expect(value).to.deep.equal({ a: { b: 1 }, c: { b: 1, d: 2 } });
  });

  it("keep the line of each part, in the document or in the overlay", () => {
    const { place } = overlaid([
      "- target: $.paths['/items'].get.parameters[0]",
      "  remove: true",
      "- target: $.paths['/items'].get.parameters",
      "  update:",
      "    name: page",
      "    in: query",
      "- target: $.paths['/some-items']",
      "  copy: $.paths['/items']",
      "- target: $.paths['/items'].get.tags[0]",
      "  remove: true",
    ]);
    expect(place("paths", "/items", "get", "parameters", "0", "name")).to.equal("api.yaml:11");
    expect(place("paths", "/items", "get", "parameters", "1", "in")).to.equal("1.overlay.yaml:9");
    expect(place("paths", "/some-items", "delete")).to.equal("api.yaml:15");
    // Copied parts are where they were written.
    expect(place("paths", "/some-items", "get", "parameters", "0")).to.equal("api.yaml:11");
    expect(place("paths", "/some-items", "get", "parameters", "1")).to.equal("1.overlay.yaml:7");
    expect(place("paths", "/some-items", "get", "missing")).to.equal("api.yaml:7");
  });

  it("that select nothing are errors with the line of the action", () => {
    expect(
      problems(
        overlaid([
          "- target: $.info",
          "  update: { x-a: 1 }",
          "- target: $.paths['/gone']",
          "  remove: true",
        ]),
      ),
    )
      .to.have.length(1)
      .and.to.have.nested.property("[0]")
      .that.matches(/^1\.overlay\.yaml:6: "\$\.paths\['\/gone'\]" selects nothing/);
    expect(problems(overlaid(["- target: $.info", "  copy: $.gone"]))[0]).to.include(
      '"$.gone" selects nothing',
    );
  });

  const WRONG: Readonly<Record<string, readonly [overlay: string, words: string]>> = {
    "another version": [
      "overlay: 2.0.0\nactions: [{}]",
      "1.overlay.yaml:1: The overlay can't be applied: it is no overlay",
    ],
    "no version": ["openapi: 3.1.0", "the version that it says is none"],
    "no actions": [
      "overlay: 1.0.0\nactions: []",
      "1.overlay.yaml:2: The overlay can't be applied: it has no list of actions",
    ],
    "an action that is a text": ["overlay: 1.0.0\nactions: [remove]", "an action is no object"],
    "an action without a target": ["overlay: 1.0.0\nactions: [{ remove: true }]", "has no target"],
    "an action that does nothing": ["overlay: 1.0.0\nactions: [{ target: $ }]", "neither update nor remove"],
    "an action that does two things": [
      "overlay: 1.1.0\nactions: [{ target: $, update: {}, copy: $ }]",
      "update and copy",
    ],
    "a word that it does not have": [
      "overlay: 1.0.0\nactions: [{ target: $, updates: {} }]",
      'no member "updates"',
    ],
    "copy before 1.1": [
      "overlay: 1.0.0\nactions: [{ target: $, copy: $.info }]",
      "copy is a word of overlays 1.1",
    ],
    "two parts to copy": ["overlay: 1.1.0\nactions: [{ target: $, copy: $.* }]", "copy selects 3 parts"],
    "a target that is no JSONPath": [
      "overlay: 1.0.0\nactions: [{ target: '$.paths[', remove: true }]",
      "is no JSONPath of RFC 9535",
    ],
    "the whole document removed": [
      "overlay: 1.0.0\nactions: [{ target: $, remove: true }]",
      "can't be removed",
    ],
    "parts of several kinds": [
      "overlay: 1.0.0\nactions: [{ target: $.*, update: {} }]",
      "selects values and objects",
    ],
    "a text for an object": [
      "overlay: 1.0.0\nactions: [{ target: $.info, update: no }]",
      "does not fit /info, which is an object",
    ],
    "a list for an object, inside": [
      "overlay: 1.0.0\nactions: [{ target: $, update: { paths: { /items: [] } } }]",
      "does not fit /paths/~1items",
    ],
    "no YAML": ["overlay: [", "1.overlay.yaml:1: The YAML can't be read"],
  };
  for (const [what, [text, words]] of Object.entries(WRONG))
    it(`are refused for ${what}`, () => {
      expect(problems(withOverlays(DOCUMENT, [text])))
        .to.have.length(1)
        .and.to.have.nested.property("[0]")
        .that.includes(words);
    });

  it("end in a message where they would not end", () => {
    const text = JSON.stringify({ a: Array.from({ length: 300 }, () => ({ b: [{}, {}, {}, {}] })) });
    const read = readDocumentText(text, "api.json");
    if ("code" in read) throw new Error(read.message);
    const overlay = "overlay: 1.0.0\nactions: [{ target: '$..[?$..[?$..[?$..b]]]', remove: true }]";
    const { diagnostics } = applyOverlays(read, [{ name: "o.yaml", text: overlay }], 0.05);
    expect(diagnostics[0]?.message).to.include("takes too long");
    const deep = `${"{ a: ".repeat(300)}{}${" }".repeat(300)}`;
    const deeper = [
      "- target: $.info",
      `  update: ${deep}`,
      `- target: $.info${".a".repeat(300)}`,
      "  copy: $.info",
    ];
    expect(problems(overlaid([...deeper, ...deeper])))
      .to.have.length(1)
      .and.to.have.nested.property("[0]")
      .that.includes("more than 5000000 values, or 400 levels");
  });

  it("know no members but the document's own", () => {
    const names = ["__proto__", "constructor", "toString"];
    for (const name of names) {
      const result = withOverlays(DOCUMENT, [
        `overlay: 1.0.0\nactions: [{ target: "$['${name}']", update: { polluted: true } }]`,
      ]);
      expect(problems(result)[0]).to.include("selects nothing");
      const added = withOverlays(DOCUMENT, [
        `overlay: 1.0.0\nactions: [{ target: $, update: { "${name}": { polluted: true } } }]`,
      ]);
      expect(Object.hasOwn(added.value as object, name)).to.equal(true);
    }
    expect(Object.hasOwn(Object.prototype, "polluted")).to.equal(false);
  });

  it("never change the document or the overlay, and undo themselves", () => {
    const name = fc.constantFrom("a", "b", "__proto__", "1", "~/");
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(null, 1, "x"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(name, tie("tree"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, tree, { maxKeys: 3 }), tree, (document, added) => {
        const text = JSON.stringify(document);
        const actions = [
          { target: "$", update: { "x-added": [added] } },
          { target: "$['x-added']", update: [added] },
          { target: "$['x-added']", remove: true },
        ];
        const { value, diagnostics } = withOverlays(text, [JSON.stringify({ overlay: "1.1.0", actions })]);
        expect(diagnostics).to.deep.equal([]);
        expect(JSON.stringify(value)).to.equal(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

describe("a document with overlays", () => {
  it("is read as they make it, with findings and evidence where the text stands", () => {
    const overlay = [
      "overlay: 1.0.0",
      "actions:",
      "  - target: $.paths['/items'].get",
      "    update:",
      "      parameters: [{ $ref: '#/gone' }]",
    ].join("\n");
    const { description, diagnostics, placeOf } = readDescription({
      main: "api.yaml",
      text: (path) => (path === "api.yaml" ? DOCUMENT : undefined),
      overlays: [{ name: "../vendor/more.yaml", text: overlay }],
    });
    expect(diagnostics.map(({ file, line, code }) => [code, file, line])).to.deep.equal([
      ["openapi-reference-dangling", "../vendor/more.yaml", 5],
    ]);
    const at = description?.operations[0]?.at ?? "";
    expect(placeOf(at)).to.deep.equal({ file: "api.yaml", line: 7 });
  });

  it("is not read where an overlay can't be applied", () => {
    const { description, diagnostics } = readDescription({
      main: "api.yaml",
      text: () => DOCUMENT,
      overlays: [{ name: "o.yaml", text: "overlay: 1.0.0\nactions: [{ target: $.gone, remove: true }]" }],
    });
    expect(description).to.equal(undefined);
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(["openapi-overlay-unmatched"]);
  });
});
