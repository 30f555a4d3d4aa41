import { createRequire } from "node:module";
import { expect } from "chai";
import fc from "fast-check";
import { formatOrder, hasFormat } from "../../runtime/validation/formats.js";
import { FORMATS } from "../../schemas/keywords.js";
import { runs } from "../support/repository.js";
import { ajvCheck } from "./ajv.js";

const require = createRequire(import.meta.url);
const { formatNames }: { readonly formatNames: readonly string[] } = require("ajv-formats/dist/formats");
const HAND_MADE = ["date", "time", "date-time", "iso-time", "iso-date-time", "uuid", "url"];
const RUNS = runs(2_000);

describe("formats", () => {
  it("are all that ajv-formats knows", () => {
    expect([...FORMATS.keys()].sort()).to.deep.equal([...formatNames].sort());
    const ordered = [...FORMATS.values()].filter(({ isOrdered }) => isOrdered).map(({ name }) => name);
    expect(formatNames.filter((name) => formatOrder(name) !== undefined).sort()).to.deep.equal(ordered);
  });

  for (const format of HAND_MADE) {
    it(`decide as ajv-formats on texts that are nearly a ${format}`, () => {
      const peer = ajvCheck({ format });
      const number = fc.oneof(
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom(0, 1, 23, 24, 29, 30, 31, 59, 60, 61),
      );
      const two = number.map((value) => String(value).padStart(2, "0"));
      const date = fc
        .tuple(fc.constantFrom("2024", "2023", "1900", "2000", "99"), two, two)
        .map((parts) => parts.join("-"));
      const offset = fc.oneof(
        fc.constantFrom("", "Z", "z", "+", "+1", "+01:0"),
        fc
          .tuple(fc.constantFrom("+", "-"), two, fc.constantFrom(":", ""), fc.oneof(two, fc.constant("")))
          .map((parts) => parts.join("")),
      );
      const time = fc
        .tuple(two, two, two, fc.constantFrom("", ".", ".5", ".123456789"), offset)
        .map(([hour, minute, second, fraction, zone]) => `${hour}:${minute}:${second}${fraction}${zone}`);
      const both = fc
        .tuple(date, fc.constantFrom("T", "t", " ", "\u2003", "\n", "", "TT", "x"), time)
        .map((parts) => parts.join(""));
      const uuid = fc
        .tuple(
          fc.constantFrom("", "urn:uuid:", "URN:UUID:", "urn:"),
          fc.uuid(),
          fc.constantFrom("", "0", "\n"),
        )
        .map((parts) => parts.join(""));
      const url = fc
        .tuple(
          fc.constantFrom("http://", "HTTPS://", "ftp://", "http:/", "http\u017f://"),
          fc.array(
            fc.constantFrom(
              ...["a", "b-c", "-", ".", ":", "@", "/", "co", "\u3000", " ", "\u00e9", ":8080", ":1"],
              ...["10.0.0.1", "8.8.8.8", "192.168.1.1", "172.20.1.1", "256", "?q=1#f"],
            ),
            { maxLength: 12 },
          ),
        )
        .map(([scheme, parts]) => scheme + parts.join(""));
      const near = fc.oneof(
        url,
        date,
        time,
        both,
        uuid,
        uuid.map((text) => text.toUpperCase().replace("A", "G")),
        fc.string(),
      );
      fc.assert(
        fc.property(near, (text) => {
          expect(hasFormat(text, format)).to.equal(peer(text));
        }),
        { numRuns: RUNS },
      );
    });
  }

  it("pass every text where nobody knows them", () => {
    expect(hasFormat("x", "toString")).to.equal(true);
    expect(hasFormat("x", "nobody's")).to.equal(true);
  });

  it("do not take longer for each character of a long address", () => {
    for (const part of [":", "@", "a@", "a@b.co/", "a-", "a.", ".1"]) {
      const text = `http://${part.repeat(100_000)} `;
      expect(hasFormat(text, "url"), part).to.equal(false);
    }
  });
});
