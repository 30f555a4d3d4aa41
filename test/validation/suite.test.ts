import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect } from "chai";
import { findings } from "../../runtime/validation/index.js";
import { ajvCheck, places } from "./ajv.js";
import { checkOf } from "./emitted.js";

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const require = createRequire(import.meta.url);
/** The public suite as a registry package has it: draft-04, whose keywords draft-07 kept but for those below. */
const FOLDER = suiteFolder();

/** What draft-07 reads otherwise, or what only documents outside the schema could answer. */
const OTHERWISE: readonly RegExp[] = [
  /^(maximum|minimum)\.json exclusive(Maximum|Minimum) validation/,
  /^optional\/zeroTerminatedFloats\.json/,
  /^optional\/bignum\.json float comparison/,
  /^refRemote\.json/,
  /^(ref|definitions)\.json (remote ref|valid definition|invalid definition)/,
];

/** Where ajv itself differs from the suite; there, ajv is what counts. */
const AJV_DIFFERS = /^optional\/(bignum|format)\.json/;

describe("the public JSON Schema test suite", () => {
  it("is installed", () => {
    expect(FOLDER, "npm install json-schema-test-suite").to.not.equal("");
  });
  for (const file of FOLDER === "" ? [] : files(FOLDER)) {
    const groups: readonly Group[] = JSON.parse(readFileSync(path.join(FOLDER, file), "utf8"));
    const kept = groups.filter(
      ({ description }) => !OTHERWISE.some((known) => known.test(`${file} ${description}`)),
    );
    if (kept.length === 0) continue;
    it(`is decided as it says: ${file}`, () => {
      for (const { description, schema, tests } of kept) {
        const check = checkOf(schema);
        const peer = ajvCheck(schema);
        for (const { data, valid, description: what } of tests) {
          const context = `${description}: ${what}`;
          expect(check(data), context).to.equal(peer(data));
          expect(places(findings(schema, data)), context).to.deep.equal(places(peer.errors));
          if (!AJV_DIFFERS.test(file)) expect(check(data), context).to.equal(valid);
        }
      }
    });
  }
});

function files(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
}

/** Empty where the package is not installed, so that the other tests still run. */
function suiteFolder(): string {
  try {
    return path.join(path.dirname(require.resolve("json-schema-test-suite/package.json")), "tests", "draft4");
  } catch {
    return "";
  }
}
