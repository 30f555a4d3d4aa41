import { expect } from "chai";
import { typedRecord } from "../../runtime/codegen/index.js";

describe("a generated class", () => {
  const made: object[] = [];
  class Site extends typedRecord<{ id: string }, { id: string }, object>({
    name: "Site",
    schema: () => {
      const schema = { type: "object", properties: { id: { type: "string" } } };
      made.push(schema);
      return schema;
    },
    check: (value) => typeof value === "object" && value !== null && "id" in value && value.id === "a",
  }) {}

  it("makes no schema for records that fit", () => {
    Site.from({ id: "a" });
    expect(made).to.deep.equal([]);
  });

  it("makes its schema once, for the first record that does not", () => {
    expect(Site.findings({ id: 1 })).to.have.lengthOf(1);
    expect(Site.findings({ id: 2 })).to.have.lengthOf(1);
    expect(made).to.deep.equal([Site.type.schema]);
  });

  it("makes instances that their author can change", () => {
    const site = new Site({ id: "b" });
    site.id = "a";
    expect(Site.toJSON(site)).to.deep.equal({ id: "a" });
    expect(Site.validate(site)).to.deep.equal([]);
  });
});
