import { inspect } from "node:util";
import { expect } from "chai";
import {
  type KeyedMethods,
  type RecordMethods,
  type RecordType,
  typedRecord,
} from "../../../runtime/codegen/index.js";
import { endOf, openItemCache } from "../../support/item-cache.js";
import { objectSchema, recordClass, recordType } from "../../support/registration.js";

const TEXT = { type: "string" };
const KEYS = [{ name: "id", isPrimary: true, properties: ["id"] }];
const PLAIN: RecordType = {
  ...recordType("Site", objectSchema({ id: TEXT, phone: TEXT }, ["id"])),
  keys: KEYS,
};
const MAPPED: RecordType = {
  ...recordType("Site", objectSchema({ id: TEXT, phone_number: TEXT }, ["id"]), {
    properties: [["phone", "phone_number"]],
  }),
  keys: KEYS,
};

/** Members that a class or every object has, as a target system may send them. */
const SENT = JSON.parse(
  '{ "id": "7", "toJSON": 1, "key": "k", "validate": [], "toString": "t", "constructor": {}, "valueOf": 2, "__proto__": { "a": 1 } }',
) as object;

function classOf(type: RecordType) {
  return class Site extends typedRecord<{ id: string }, object, RecordMethods<object> & KeyedMethods>(
    type,
  ) {};
}

describe("undeclared members that are called as methods are", () => {
  for (const [what, type] of [
    ["without other names", PLAIN],
    ["with other names in code", MAPPED],
  ] as const) {
    it(`leave the methods of a class ${what}, and survive a round trip`, () => {
      const Site = classOf(type);
      for (const site of [Site.from(SENT), new Site(Site.from(SENT)), new Site(SENT as { id: string })]) {
        expect(site.key()).to.equal("id/7");
        expect(site.validate()).to.deep.equal([]);
        expect(String(site)).to.include("Site {");
        expect(inspect(site)).to.include("valueOf: 2");
        expect(site.constructor).to.equal(Site);
        expect(site).to.be.instanceOf(Site);
        expect(Object.keys(site)).to.deep.equal(["id"]);
        for (const json of [site.toJSON(), Site.toJSON(site), JSON.parse(JSON.stringify(site))])
          expect(Object.entries(json)).to.have.deep.members(Object.entries(SENT));
      }
    });
  }

  it("or as a property is called in code, survive a round trip beside it, at any depth", () => {
    const Place = recordClass(
      "Place",
      objectSchema({ place_id: TEXT, boss: objectSchema({ phone_number: TEXT }) }, ["place_id"]),
      {
        properties: [
          ["id", "place_id"],
          ["boss", "boss", { properties: [["phone", "phone_number"]] }],
        ],
      },
    );
    const sent = { place_id: "7", id: "other", boss: { phone_number: "1", phone: "2" } };
    const place = Place.from(sent);
    expect(place).to.deep.include({ id: "7", boss: { phone: "1" } });
    for (const json of [Place.toJSON(place), JSON.parse(JSON.stringify(new Place(place)))])
      expect(json).to.deep.equal(sent);
  });

  it("are written to the cache as they came, with serialized names beside them", async () => {
    const Site = classOf(MAPPED);
    const sent = { id: "7", phone_number: "1", toJSON: "x" };
    const cache = await openItemCache();
    await cache.full([Site.from(sent)], { type: MAPPED });
    expect(await cache.contents()).to.deep.equal({ "id/7": sent });
    expect(endOf(await cache.full([sent], { type: MAPPED }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
    });
    await cache.remove();
  });

  it("take the place of the method where the schema declares them", () => {
    const declared = recordType("Site", objectSchema({ id: TEXT, key: TEXT, to_string: TEXT }, ["id"]), {
      properties: [["toString", "to_string"]],
    });
    const Site = classOf({ ...declared, keys: KEYS });
    const sent = { id: "7", key: "own", to_string: "text" };
    const site = Site.from(sent);
    expect(site).to.deep.include({ id: "7", key: "own", toString: "text" });
    expect(Site.key(site)).to.equal("id/7");
    expect(site.toJSON()).to.deep.equal(sent);
  });

  it("are kept apart in an instance that another one holds", () => {
    const Site = classOf(PLAIN);
    const Holder = classOf(recordType("Holder", objectSchema({ id: TEXT })));
    const holder = new Holder({ id: "1", site: Site.from(SENT) } as { id: string });
    expect(inspect(holder, { depth: 9 })).to.include("valueOf: 2");
    expect(JSON.parse(JSON.stringify(holder))).to.have.nested.property("site.toJSON", 1);
  });
});
