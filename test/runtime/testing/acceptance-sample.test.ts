import { expect } from "chai";
import { type AnyReaderDeclaration, input } from "../../../runtime/entries/runtime.js";
import { runAcceptance } from "../../../runtime/entries/testing.js";
import { SCENARIOS } from "../../../runtime/testing/acceptance/scenarios.js";
import { type FakedAction, readerOf, registrationOf, typeOf } from "../../support/faked-connector.js";
import { SLOW_TEST_MS } from "../../support/repository.js";

const INTEGER = { type: "integer" };

const FORMS: Readonly<Record<string, (name: string) => AnyReaderDeclaration>> = {
  Paged: (name) => ({ list: `GET /${name}`, items: "data", pages: { kind: "page", send: "page" } }),
  Whole: (name) => ({ list: `GET /${name}`, items: "$", pages: { kind: "one" } }),
};

/** As many data objects of each form, with one action each. */
function large(counts: Readonly<Record<string, number>>) {
  const types = Object.entries(counts).flatMap(([form, count]) =>
    Array.from({ length: count }, (_, index) => ({ form, type: typeOf(`${form}${index}`, { id: INTEGER }) })),
  );
  const deleting = (type: (typeof types)[number]["type"]): FakedAction => ({
    ...{ object: type, input: typeOf("Input", { id: INTEGER }), output: typeOf("Output", {}, { keys: [] }) },
    declaration: { call: `DELETE /${type.name}/{id}`, path: { id: input("id") }, change: "delete" },
  });
  return registrationOf({
    readers: Object.fromEntries(
      types.map(({ form, type }) => [type.name, readerOf(type, FORMS[form]?.(type.name) as never)]),
    ),
    actions: Object.fromEntries(types.map(({ type }) => [`Delete${type.name}`, deleting(type)])),
  });
}

describe("what is tried of a large connector", function () {
  this.timeout(SLOW_TEST_MS);
  const registration = large({ Paged: 40, Whole: 11 });

  const triedBy = async (more: object) => {
    const options = { scenarios: ["again"], records: 1, ...more };
    const { tried, notes, findings } = await runAcceptance(registration, options);
    expect(findings).to.deep.equal([]);
    const names = (scenario: string) =>
      tried.flatMap((each) => (each.scenario === scenario ? [each.object] : []));
    return { again: names("again"), busy: names("busy"), notes };
  };

  it("is two of each form, and with another seed others", async () => {
    const { again, busy, notes } = await triedBy({ seed: 1, scenarios: ["again", "busy"] });
    expect(again).to.deep.equal(["Paged2", "Paged3", "Whole2", "Whole3"]);
    expect(busy).to.deep.equal(["Paged2", "Paged3"]);
    expect(notes).to.have.length(1);
    expect(notes[0]).to.include("Of 51 data objects and 51 actions, 4 and 2 were tried with every scenario");
    const other = await triedBy({ seed: 2 });
    expect(other.again).to.deep.equal(["Paged4", "Paged5", "Whole4", "Whole5"]);
  });

  it("is all of it for what shows names: reads, and what actions change", () => {
    const all = SCENARIOS.filter(({ isForAll }) => isForAll === true);
    expect(all.map(({ name }) => name)).to.deep.equal(["whole", "performed"]);
  });

  it("is what is named, or all, if that is wanted", async () => {
    const named = await triedBy({ objects: ["Paged7"] });
    expect(named).to.deep.include({ again: ["Paged7"], notes: [] });
    const stop = new AbortController();
    let count = 0;
    const onTried = () => {
      if (++count === 5) stop.abort();
    };
    const all = await triedBy({ isSampled: false, onTried, signal: stop.signal });
    expect(all).to.deep.include({ again: ["Paged0", "Paged1", "Paged2", "Paged3", "Paged4"], notes: [] });
  });
});
