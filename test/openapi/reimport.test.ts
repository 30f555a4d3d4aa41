import { expect } from "chai";
import fc from "fast-check";
import { makePlan } from "../../generators/openapi/inference/make-plan.js";
import { importFiles } from "../../generators/openapi/modules/import-files.js";
import { compareLocks } from "../../generators/openapi/reimport/compare-locks.js";
import {
  type ImportLock,
  knownObjects,
  lockFile,
  readLock,
} from "../../generators/openapi/reimport/import-lock.js";
import { importState } from "../../generators/openapi/reimport/import-state.js";
import { described, listDocument, listOf, objectOf, operation } from "../support/openapi.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";

/** What an import of `document` makes in a project in which everything is used. */
function imported(document: unknown, before?: ImportLock, add = false) {
  const read = described(document);
  const { description, placeOf, citations } = read;
  if (description === undefined) throw new Error("not read");
  const known = before && { known: knownObjects(before, read) };
  const plan = makePlan(description, known);
  const place = { description, placeOf, citations, name: "api.json" };
  const state = importState({ ...place, plan, select: [], sha256: "", before, add, isUsed: () => true });
  const config = { source: "api.json" };
  const all = importFiles({
    ...place,
    config,
    version: "1.0.0",
    plan: state.taken,
    imported: state.imported,
  });
  const base = all.filter(({ ownership, path }) => ownership === "generated" && path.endsWith(".ts"));
  const lock = readLock(lockFile(state.lock).content);
  if (typeof lock === "string") throw new Error(lock);
  return {
    lock,
    kept: state.keptFiles,
    changes: before === undefined ? [] : compareLocks(before, lock),
    files: new Map(base.map(({ path, content }) => [path, content])),
    code: new Map(base.map(({ path, content }) => [path, withoutComments(content)])),
  };
}

/** Lines of the document stand in comments only. */
function withoutComments(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:\/\/|\/\*|\*)/.test(line))
    .join("\n");
}

const TYPES = [{ type: "string" }, { type: "integer" }, { type: "string", format: "date-time" }];
const record = fc
  .tuple(
    fc.subarray(["id", "uuid", "name", "parent_id", "updated_at", "__proto__"]),
    fc.array(fc.constantFrom(...TYPES), { minLength: 6, maxLength: 6 }),
  )
  .map(([names, types]) =>
    objectOf(Object.fromEntries(names.map((name, index) => [name, types[index] ?? { type: "string" }]))),
  );
const list = fc.record({
  parameters: fc.subarray(["page", "per_page", "offset", "limit", "cursor", "updated_since", "state"]),
  answer: fc.constantFrom(
    (item: object) => listOf(item),
    (item: object) => objectOf({ data: listOf(item) }, "next_cursor"),
    (item: object) => objectOf({ items: listOf(item), total: { type: "integer" } }),
    (item: object) => objectOf({ near: listOf(item), far: listOf(item) }),
  ),
  record,
  writes: fc.subarray(["post", "patch", "delete"]),
  sent: record,
});
type ListParts = typeof list extends fc.Arbitrary<infer Parts> ? Parts : never;

const PATHS = ["/projects", "/teams", "/teams/{team_id}/people", "/{account}/notes", "/archive/projects"];

/** Lists by their paths, and for each whether it is there before and after, and other than it was. */
const history = fc
  .array(
    fc.record({
      before: list,
      after: list,
      state: fc.constantFrom("same", "new", "gone", "other", "record"),
    }),
    {
      minLength: PATHS.length,
      maxLength: PATHS.length,
    },
  )
  .map((parts) => {
    const documentWith = (
      isThere: (state: string) => boolean,
      partOf: (one: (typeof parts)[number]) => ListParts,
    ) =>
      documentOf(
        new Map(
          PATHS.flatMap((path, index) => {
            const one = parts[index];
            return one !== undefined && isThere(one.state) ? [[path, partOf(one)] as const] : [];
          }),
        ),
      );
    return {
      before: documentWith(
        (state) => state !== "new",
        (one) => one.before,
      ),
      after: documentWith(
        (state) => state !== "gone",
        ({ state, before: was, after: is }) => {
          if (state === "record") return { ...was, record: is.record, sent: is.sent };
          return state === "other" ? is : was;
        },
      ),
    };
  });

function documentOf(lists: ReadonlyMap<string, ListParts>): object {
  const document = listDocument({ answer: objectOf("state"), path: "/health" });
  const schemas: Record<string, object> = {};
  const paths: Record<string, object> = { ...document.paths };
  for (const [path, { parameters, answer, record: item, writes, sent }] of lists) {
    const name = path.replaceAll(/\W/g, "");
    schemas[name] = item;
    const ref = { $ref: `#/components/schemas/${name}` };
    const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, variable]) => ({
      ...{ name: variable, in: "path", required: true },
      schema: { type: "string" },
    }));
    const write = {
      ...{ parameters: variables, responses: { 200: { content: { "application/json": { schema: ref } } } } },
      requestBody: { content: { "application/json": { schema: sent } } },
    };
    const of = (methods: readonly string[]) =>
      Object.fromEntries(
        writes.filter((method) => methods.includes(method)).map((method) => [method, write]),
      );
    paths[path] = {
      get: operation({ answer: answer(ref), parameters: [...variables, ...parameters] }),
      ...of(["post"]),
    };
    paths[`${path}/{id}`] = {
      get: operation({ answer: ref, parameters: variables }),
      ...of(["patch", "delete"]),
    };
  }
  return { ...document, paths, components: { schemas } };
}

describe("imports of one document after the other", function () {
  this.timeout(SLOW_TEST_MS);

  it("change nothing the second time", () => {
    fc.assert(
      fc.property(history, fc.boolean(), ({ before, after }, add) => {
        const later = imported(after, imported(before).lock, add);
        const again = imported(after, later.lock);
        expect(again.changes).to.deep.equal([]);
        expect(again.lock).to.deep.equal(later.lock);
        for (const [path, text] of later.files) expect(again.files.get(path), path).to.equal(text);
        expect(again.files.size).to.equal(later.files.size);
      }),
      { numRuns: runs(20) },
    );
  });

  it("name the object of each change of the code, and no change where the code is the same", () => {
    fc.assert(
      fc.property(history, ({ before, after }) => {
        const first = imported(before);
        const later = imported(after, first.lock);
        const owners = new Map(
          [...first.lock.objects, ...later.lock.objects].flatMap(({ name, files, actions }) =>
            [...files, ...actions.flatMap((action) => action.files)].map((file) => [file, name] as const),
          ),
        );
        for (const path of new Set([...first.code.keys(), ...later.code.keys()])) {
          if (first.code.get(path) === later.code.get(path) || later.kept.includes(path)) continue;
          const owner = owners.get(path) ?? "";
          const isNamed = later.changes.some(({ of, name }) =>
            owner === ""
              ? of === "operation"
              : name === owner || (/^[. ]/.test(name.slice(owner.length)) && name.startsWith(owner)),
          );
          expect(isNamed, `${path}: ${JSON.stringify(later.changes)}`).to.equal(true);
        }
        if (later.changes.length > 0) return;
        expect([...later.code]).to.deep.equal([...first.code]);
      }),
      { numRuns: runs(30) },
    );
  });

  it("keep names and lists of what has modules, and never make modules unasked", () => {
    fc.assert(
      fc.property(history, ({ before, after }) => {
        const first = imported(before);
        const later = imported(after, first.lock);
        const taken = first.lock.objects.filter(({ presence }) => presence === "taken");
        for (const { name, list: id } of taken) {
          const now = later.lock.objects.find((object) => object.list === id);
          expect(now?.name).to.equal(name);
          const isLost = later.changes.some(
            ({ needs, name: of }) => needs === "answer" && of.startsWith(`${name}.`),
          );
          if (!isLost) expect(now?.presence).to.be.oneOf(["taken", "gone"]);
        }
        const had = new Set(taken.map(({ list: id }) => id));
        const parents = new Set(
          later.lock.objects.flatMap(({ decisions, presence }) =>
            presence === "taken" ? decisions.map(({ value }) => value.split(".")[0]) : [],
          ),
        );
        for (const { list: id, presence, name } of later.lock.objects)
          if (!had.has(id) && presence === "taken") expect([...parents]).to.include(name);
      }),
      { numRuns: runs(20) },
    );
  });
});
