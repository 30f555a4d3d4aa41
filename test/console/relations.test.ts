/** Links between records, by the keys that data objects declare. */
import { expect } from "chai";
import fc from "fast-check";
import { recordKey } from "../../runtime/records/record-key.js";
import { HIDDEN } from "../../runtime/validation/finding.js";
import { type Relation, referredRecords, referringRecords } from "../../scripts/console/page/relations.js";
import type { ObjectShape, Overview } from "../../scripts/console/page/shapes.js";
import { text } from "../support/arbitraries.js";
import { approvalsProject, endConsoles, fillTimesheets, startedConsole } from "../support/console-project.js";
import { call } from "../support/console-requests.js";

type Console = Awaited<ReturnType<typeof startedConsole>>;
type Keys = readonly [primary: readonly string[], ...alternates: (readonly string[])[]];

describe("relations of records", () => {
  const objects = Object.entries({
    Project: [["id"], ["number"]],
    Company: [["companyId"]],
    Employee: [["companyId", "id"]],
    Contract: [["id"], ["employeeId", "companyId"]],
    InvoiceLine: [["invoiceId", "line"]],
    LineTax: [["invoice_id", "line", "tax"]],
    Time: [["timesheetId"]],
  } satisfies Record<string, Keys>).map(([name, keys]) => objectOf(name, keys));

  const cases: readonly (readonly [
    title: string,
    of: string | undefined,
    record: Record<string, unknown>,
    to: readonly string[],
  ])[] = [
    ["a key of one property, behind the object's name", "Contract", { projectId: 7 }, ["Project id 7"]],
    ["an alternate key", "Contract", { project_number: "P-1" }, ["Project number P-1"]],
    [
      "a key whose property tells the object by itself",
      "Project",
      { company_id: "c" },
      ["Company companyId c"],
    ],
    [
      "several properties, one of which tells the object",
      "Project",
      { companyId: 1, employeeId: 2 },
      ["Company companyId 1", "Employee companyId-id 1 2"],
    ],
    [
      "several properties, of which none does",
      "LineTax",
      { invoice_id: "i", line: 3, tax: "t" },
      ["InvoiceLine invoiceId-line i 3"],
    ],
    [
      "members of an object in a record",
      undefined,
      { companyId: 1, employeeId: true },
      ["Company companyId 1", "Employee companyId-id 1 true"],
    ],
    [
      "nothing: its own identity has the same name",
      "Contract",
      { companyId: 1, id: 2 },
      ["Company companyId 1"],
    ],
    ["nothing: the record itself", "Employee", { companyId: 1, id: 2 }, ["Company companyId 1"]],
    ["nothing: one part is not there", "Project", { employeeId: 2 }, []],
    ["nothing: one part is null", "Project", { companyId: null, employeeId: 2 }, []],
    ["nothing: one part is hidden", "Project", { companyId: HIDDEN, employeeId: 2 }, []],
    ["nothing: one part is no value of a key", "Project", { companyId: [1], employeeId: {} }, []],
    ["nothing: a number that has lost digits", "Contract", { projectId: 2 ** 53 }, []],
    ["nothing: half of a character, which no address can say", "Contract", { projectId: "\ud800" }, []],
    ["nothing: the first letters of a name are no word of it", "Project", { timesheetId: 1 }, []],
  ];
  for (const [title, of, record, to] of cases)
    it(`lead to ${title}`, () => {
      const own = objects.find(({ name }) => name === of);
      expect(referredRecords(record, own, objects).map(words)).to.have.members(to);
    });

  it("lead to those that refer to the record by one of their keys, whatever the order of its properties", () => {
    const led = (name: string, record: Record<string, unknown>) => {
      const own = objects.find((object) => object.name === name);
      return referringRecords(record, own, objects).map(words);
    };
    expect(led("Employee", { companyId: "a/b", id: 'q"' })).to.deep.equal([
      'Contract employeeId-companyId q" a/b',
    ]);
    expect(led("Employee", { companyId: "a", id: null })).to.deep.equal([]);
    expect(led("Project", { id: 1, number: 2 })).to.deep.equal([]);
  });

  describe("of a connector", () => {
    afterEach(endConsoles);

    it("find exactly the record with the key, whatever its values hold", async function () {
      this.timeout(60_000);
      const folder = approvalsProject();
      const tuple = fc.tuple(text, text, fc.maxSafeInteger());
      const tuples = fc.uniqueArray(tuple, {
        minLength: 20,
        maxLength: 40,
        selector: (key) => recordKey("", key),
      });
      const started = await startedConsole(folder);
      const known = await objectsOf(started);
      const all = [...known.values()];
      await fc.assert(
        fc.asyncProperty(tuples, async (keys) => {
          const pairs = await fillTimesheets(folder, keys);
          for (const { timesheet, approval } of pairs) {
            const forth = referredRecords(approval, known.get("Approval"), all).filter(
              ({ object }) => object.name === "Timesheet",
            );
            const back = referringRecords(timesheet, known.get("Timesheet"), all);
            // No address can say half of a character.
            const isSaid = Object.values(timesheet).every((value) => String(value).isWellFormed());
            expect(await found(started, forth)).to.deep.equal(isSaid ? [timesheet] : []);
            expect(await found(started, back)).to.deep.equal(isSaid ? [approval] : []);
          }
        }),
        { numRuns: 3 },
      );
    });
  });
});

async function objectsOf(console: Console): Promise<ReadonlyMap<string, ObjectShape>> {
  const { modules } = JSON.parse((await call(console, "overview")).text) as Overview;
  return new Map(modules.flatMap(({ objects }) => objects).map((object) => [object.name, object]));
}

/** The records that links lead to. */
async function found(console: Console, relations: readonly Relation[]): Promise<readonly object[]> {
  const records: object[] = [];
  for (const { object, key, values } of relations) {
    const query = new URLSearchParams({ object: object.dataPath, by: key.name });
    for (const value of values) query.append("value", value);
    const { rows } = JSON.parse((await call(console, `records?${query}`)).text);
    records.push(...rows.map(({ record }: { readonly record: object }) => record));
  }
  return records;
}

/** With keys that are named after their properties. */
function objectOf(name: string, keys: Keys): ObjectShape {
  return {
    ...{ name, title: name, dataPath: `app/${name}`, readerType: "full", actions: [] },
    keys: keys.map((propertyNames, index) => ({
      ...{ name: propertyNames.join("-"), propertyNames, isPrimary: index === 0 },
    })),
  };
}

function words({ object, key, values }: Relation): string {
  return [object.name, key.name, ...values].join(" ");
}
