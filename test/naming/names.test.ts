import { expect } from "chai";
import fc from "fast-check";
import { NAMING_CONVENTIONS } from "../../schemas/entries/vocabulary.js";
import { applyConvention } from "../../schemas/naming/conventions.js";
import {
  classIdentifier,
  fileName,
  isIdentifier,
  isReserved,
  propertyIdentifier,
  unique,
} from "../../schemas/naming/identifiers.js";
import { displayName, urlPartOf } from "../../schemas/naming/words.js";
import { text } from "../support/arbitraries.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";

const convention = fc.constantFrom(...NAMING_CONVENTIONS);
const options = { numRuns: runs(1_000) };

describe("applyConvention", () => {
  for (const [name, camel, pascal, kebab, snake] of [
    ["hiredOn", "hiredOn", "HiredOn", "hired-on", "hired_on"],
    ["hired_on", "hiredOn", "HiredOn", "hired-on", "hired_on"],
    ["ID", "id", "ID", "id", "id"],
    ["URLValue", "urlValue", "URLValue", "url-value", "url_value"],
    ["projectID", "projectID", "ProjectID", "project-id", "project_id"],
    ["address2Line", "address2Line", "Address2Line", "address-2-line", "address_2_line"],
    ["_1", "1", "1", "1", "1"],
    ["__", "__", "__", "__", "__"],
    ["", "", "", "", ""],
  ] as const) {
    it(`writes "${name}" in each of the six`, () => {
      expect(NAMING_CONVENTIONS.map((each) => applyConvention(name, each))).to.deep.equal([
        camel,
        pascal,
        kebab,
        kebab.toUpperCase(),
        snake,
        snake.toUpperCase(),
      ]);
    });
  }

  it("gives a name for any text, and the same name again for what it gave", () => {
    fc.assert(
      fc.property(text, convention, (name, each) => {
        const once = applyConvention(name, each);
        expect(applyConvention(once, each)).to.equal(once);
        if (name !== "") expect(once).to.not.equal("");
      }),
      options,
    );
  }).timeout(SLOW_TEST_MS);

  it("joins words with the convention's own mark only", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "B", "7", "_", "-", " ", "."), minLength: 1 });
    fc.assert(
      fc.property(name, (given) => {
        fc.pre(/[aB7]/.test(given));
        const forms = NAMING_CONVENTIONS.map((each) => applyConvention(given, each));
        const shapes = [
          /^[a-z\d]+[A-Za-z\d]*$/,
          /^[A-Z\d][A-Za-z\d]*$/,
          /^[a-z\d-]+$/,
          /^[A-Z\d-]+$/,
          /^[a-z\d_]+$/,
          /^[A-Z\d_]+$/,
        ];
        for (const [index, form] of forms.entries()) expect(form).to.match(shapes[index] ?? /$^/);
      }),
      options,
    );
  }).timeout(SLOW_TEST_MS);
});

describe("identifiers", () => {
  it("are made of any text, for properties and for classes", () => {
    fc.assert(
      fc.property(text, (given) => {
        const property = propertyIdentifier(given);
        const name = classIdentifier(given);
        expect(isIdentifier(property), property).to.equal(true);
        expect(isIdentifier(name), name).to.equal(true);
        expect(isReserved(name), name).to.equal(false);
        expect(["__proto__", "constructor", "prototype"]).to.not.include(property);
      }),
      options,
    );
  }).timeout(SLOW_TEST_MS);

  it("keep what is an identifier already", () => {
    for (const name of ["id", "hiredOn", "projectID", "x1", "größe"]) {
      expect(propertyIdentifier(name)).to.equal(name);
    }
    for (const name of ["Employee", "PCOs", "SignalR", "Schedulesv2"])
      expect(classIdentifier(name)).to.equal(name);
  });

  it("use no letter that only the newest compilers know", () => {
    for (const name of ["\u0264", "\ua7cb", "\u{13460}", "a\u{1d49c}"]) {
      expect(isIdentifier(`${propertyIdentifier(name)}${classIdentifier(name)}`)).to.equal(true);
    }
    expect(classIdentifier("\u0264")).to.equal("Unnamed");
  });

  it("of names that differ only in what no identifier has are told apart by number", () => {
    const taken = new Set<string>();
    const names = ["1", "_1", "-1", "1"].map((name) => unique(propertyIdentifier(name), taken));
    expect(new Set(names)).to.have.lengthOf(4);
  });
});

describe("fileName", () => {
  for (const [name, file] of [
    ["SignalR", "signal-r"],
    ["Größe", "grosse"],
    ["Ærøskøbing", "aeroskobing"],
    ["../../etc/passwd", "etc-passwd"],
    ["CON", "con-file"],
    ["lpt1.txt", "lpt1-txt"],
    ["com1", "com1-file"],
    ["Com", "com-file"],
    ["Łódź", "lodz"],
    ["日本語", "unnamed"],
    ["", "unnamed"],
    ["...", "unnamed"],
  ] as const) {
    it(`makes ${file} of "${name}"`, () => {
      expect(fileName(name)).to.equal(file);
    });
  }

  it("is safe on every file system, for any text, and stays what it is", () => {
    fc.assert(
      fc.property(text, (given) => {
        const name = fileName(given);
        expect(name).to.match(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(name).to.have.lengthOf.at.most(65);
        expect(name).to.not.match(/^(?:con|prn|aux|nul|com\d?|lpt\d?)$/);
        expect(fileName(name)).to.equal(name);
      }),
      options,
    );
  }).timeout(SLOW_TEST_MS);
});

describe("names of the platform", () => {
  it("are given for any class name", () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(displayName(name).replace(/ /g, "")).to.equal(name.replace(/ /g, ""));
        expect(urlPartOf(name)).to.match(/^(?:[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}\p{Lt}\p{Lu}]+(?:-|$))*$/u);
        expect(urlPartOf(urlPartOf(name))).to.equal(urlPartOf(name));
      }),
      options,
    );
  }).timeout(SLOW_TEST_MS);
});
