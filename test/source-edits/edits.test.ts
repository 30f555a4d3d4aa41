import { expect } from "chai";
import {
  addImport,
  addProperty,
  addStatement,
  importedName,
  type NewImport,
  replaceString,
  SourceFiles,
} from "../../generators/source-edits/index.js";

function textAfter(text: string, edit: (files: SourceFiles) => unknown): string {
  const files = new SourceFiles((path) => (path === "a/m.ts" ? text : undefined));
  edit(files);
  return files.text("a/m.ts") ?? "";
}

const FROM: NewImport["from"] = { file: "b/x.ts" };

describe("adding an import", () => {
  const CASES: readonly (readonly [
    what: string,
    before: string,
    after: string,
    wanted?: Partial<NewImport>,
  ])[] = [
    [
      "into one of the same module",
      'import { Y } from "../b/x.js";\n',
      'import { X, Y } from "../b/x.js";\n',
    ],
    [
      "into one over lines",
      'import {\n  Y,\n} from "../b/x.js";\n',
      'import {\n  X,\n  Y,\n} from "../b/x.js";\n',
    ],
    ["into one without spaces", 'import {Y} from "../b/x"', 'import {X, Y} from "../b/x"'],
    [
      "behind names that come before it",
      'import { a, B } from "../b/x.js";\n',
      'import { a, B, X } from "../b/x.js";\n',
    ],
    [
      "behind names that are in no order",
      'import { Y, A } from "../b/x.js";\n',
      'import { Y, A, X } from "../b/x.js";\n',
    ],
    ["into empty braces", 'import {} from "../b/x.js";\n', 'import { X } from "../b/x.js";\n'],
    ["beside a default import", 'import d from "../b/x.js";\n', 'import d, { X } from "../b/x.js";\n'],
    [
      "into braces behind a remark with one",
      'import /* { */ { Y /* } */ } from "../b/x.js";\n',
      'import /* { */ { Y /* } */, X } from "../b/x.js";\n',
    ],
    [
      "after a namespace import",
      'import * as n from "../b/x.js";\n',
      'import * as n from "../b/x.js";\nimport { X } from "../b/x.js";\n',
    ],
    [
      "after a type import",
      "import type { Y } from '../b/x.js'\n",
      "import type { Y } from '../b/x.js'\nimport { X } from '../b/x.js'\n",
    ],
    [
      "of a type, into a type import",
      'import type { Y } from "../b/x.js";\n',
      'import type { X, Y } from "../b/x.js";\n',
      { typeOnly: true },
    ],
    [
      "of a type, into a value import",
      'import { Y } from "../b/x.js";\n',
      'import { type X, Y } from "../b/x.js";\n',
      { typeOnly: true },
    ],
    [
      "of a type that is imported as a value",
      'import { X } from "../b/x.js";\n',
      'import { X } from "../b/x.js";\n',
      { typeOnly: true },
    ],
    [
      "in quotes, ends and extension of the others",
      "import { Y } from './y.ts' // y\nimport 'z'\n",
      "import { Y } from './y.ts' // y\nimport 'z'\nimport { X } from '../b/x.ts'\n",
    ],
    [
      "without extension where others have none",
      'import { Y } from "./y";\n',
      'import { Y } from "./y";\nimport { X } from "../b/x";\n',
    ],
    [
      "behind what is said of the last one",
      'import { Y } from "y"; // y\r\nf();\r\n',
      'import { Y } from "y"; // y\r\nimport { X } from "../b/x.js";\r\nf();\r\n',
    ],
    [
      "before other code on the line",
      'import "y"; f();\n',
      'import "y";\nimport { X } from "../b/x.js"; f();\n',
    ],
    [
      "below the header of a module without imports",
      "/** Header. */\n\n/** Of f. */\nf();\n",
      '/** Header. */\nimport { X } from "../b/x.js";\n\n/** Of f. */\nf();\n',
    ],
    [
      "above what is said of the first statement",
      "/** Of f. */\nf();\n",
      'import { X } from "../b/x.js";\n\n/** Of f. */\nf();\n',
    ],
    [
      "below #! and directives",
      '#!/usr/bin/env node\n"use strict";\nf()\n',
      '#!/usr/bin/env node\n"use strict";\n\nimport { X } from "../b/x.js"\nf()\n',
    ],
    ["behind a byte order mark", "\uFEFFf();\n", '\uFEFFimport { X } from "../b/x.js";\n\nf();\n'],
    ["into an empty file", "", 'import { X } from "../b/x.js";\n'],
    ["of a package", 'import { Y } from "y";\n', 'import { X, Y } from "y";\n', { from: { package: "y" } }],
  ];
  for (const [what, before, after, wanted] of CASES) {
    it(`puts it ${what}`, () => {
      const text = textAfter(before, (files) =>
        addImport(files, "a/m.ts", { name: "X", from: FROM, ...wanted }),
      );
      expect(text).to.equal(after);
      expect(
        textAfter(text, (files) => addImport(files, "a/m.ts", { name: "X", from: FROM, ...wanted })),
      ).to.equal(text);
    });
  }

  it("gives another name where its own is taken", () => {
    let local = "";
    const text = textAfter("function X() {}\n", (files) => {
      local = addImport(files, "a/m.ts", { name: "X", from: FROM });
    });
    expect(local).to.equal("X2");
    expect(text).to.include('import { X as X2 } from "../b/x.js";');
  });
});

describe("adding a property", () => {
  const place = { start: { file: "a/m.ts", constant: "services" }, steps: ["readers"] };
  const add = (before: string, key = "X") =>
    textAfter(before, (files) => addProperty(files, place, key, importedName("X", FROM)));

  it("writes it as the others are written", () => {
    const text =
      'import { Y } from "y";\nexport const services: S<C> = {\n  readers: {\n    Y, // y\n  },\n  handlers: {},\n};\n';
    expect(add(text)).to.equal(
      'import { Y } from "y";\nimport { X } from "../b/x.js";\nexport const services: S<C> = {\n  readers: {\n    Y, // y\n    X,\n  },\n  handlers: {},\n};\n',
    );
  });

  it("quotes a name that needs it", () => {
    expect(add("const services = { readers: {} };\n", "a-b")).to.include('readers: { "a-b": X } };');
  });

  it("refuses a name that is there, and what is no object", () => {
    for (const text of ["const services = { readers: { X: 1 } };", "const services = { readers: all };"])
      expect(add(text)).to.equal(text);
  });
});

describe("replacing a string", () => {
  const replace = (literal: string, content: string) =>
    textAfter(`const o = { a: ${literal} };`, (files) =>
      replaceString(files, { start: { file: "a/m.ts", constant: "o" }, steps: ["a"] }, content),
    );

  it("keeps the quotes and says exactly the new text", () => {
    expect(replace('"x"', 'a "b" \\ c\n')).to.equal('const o = { a: "a \\"b\\" \\\\ c\\n" };');
    expect(replace("'x'", 'it\'s "b" \\')).to.equal("const o = { a: 'it\\'s \"b\" \\\\' };");
  });

  it("refuses what is no string", () => {
    expect(replace("`x`", "y")).to.equal("const o = { a: `x` };");
  });
});

describe("adding a statement", () => {
  const add = (before: string) =>
    textAfter(before, (files) =>
      addStatement(files, "a/m.ts", {
        imports: [{ name: "X", from: FROM }],
        code: (x) => `export const y = ${x}({\n});`,
      }),
    );

  it("puts it behind the last one, and what it needs among the imports", () => {
    expect(add('import { Y } from "y";\r\nY();\r\n')).to.equal(
      'import { Y } from "y";\r\nimport { X } from "../b/x.js";\r\nY();\r\n\r\nexport const y = X({\r\n});\r\n',
    );
  });

  it("ends a file that had no line ending", () => {
    expect(add('import { X } from "../b/x.js";')).to.match(/x\.js";\n\nexport const y = X\(\{\n\}\);\n$/);
  });
});
