import { readFileSync } from "node:fs";
import { expect } from "chai";
import { inRepository, runs, SLOW_TEST_MS } from "../support/repository.js";
import { CONNECTORS } from "./connector-copies.js";
import { type ConnectorName, MISTAKES } from "./list-of-mistakes.js";
import { mistakesPage, shownBy } from "./mistakes-page.js";
import { foundBy, triedMistake, triedSound } from "./try-mistake.js";

const IS_SOAKING = runs(1) > 1;

/** A mistake of some kinds, each found soon. */
const QUICK: readonly string[] = [
  "Takes a page that is shorter than asked for for the last one.",
  "Fills one object for all records, so that an optional member stays from the record before.",
  "Rounds a number in records.",
  "Makes a part of the key of the place in the list.",
];

/** What of the sound connectors is tried in short. */
const QUICK_OBJECTS: Readonly<Record<ConnectorName, readonly string[]>> = {
  "projects-api": ["Project"],
  helpdesk: ["Agent"],
  warehouse: ["Warehouse"],
  bidding: ["Databases"],
};

describe("mistakes of authors", () => {
  it("stand on docs/mistakes.md as they stand in the list; if not, run: npm run mistakes -- --write", () => {
    const page = readFileSync(inRepository("docs/mistakes.md"), "utf8");
    expect(page).to.equal(mistakesPage(shownBy(page)));
    expect(page).to.not.include("|  |");
  });

  for (const what of QUICK)
    it(`are found: ${what}`, async function () {
      this.timeout(SLOW_TEST_MS);
      for (const mistake of MISTAKES.filter((each) => each.what === what))
        expect(foundBy(await triedMistake(mistake, { isShort: true }))).to.match(
          /^whole: `acceptance-records-/,
        );
    });
});

describe("connectors without mistakes", () => {
  for (const name of CONNECTORS)
    it(`${name} passes the acceptance suite`, async function () {
      this.timeout(SLOW_TEST_MS);
      for (let seed = 1; seed <= runs(1); seed++) {
        const objects = IS_SOAKING ? undefined : QUICK_OBJECTS[name];
        const findings = await triedSound(name, { seed, objects });
        expect(findings.map(({ message }) => message)).to.deep.equal([]);
      }
    });
});
