import { expect } from "chai";
import type { Change } from "../../schemas/compatibility/change.js";
import { compareConnectors } from "../../schemas/compatibility/compare-connectors.js";
import { type ConnectorModel, readConnectorJson } from "../../schemas/entries/model.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";
import { randomFrom } from "../validation/random.js";
import { MEMBER_MUTATIONS } from "./mutations/members.js";
import { PART_MUTATIONS, type PartMutation, prepare } from "./mutations/parts.js";
import { someObject } from "./mutations/places.js";
import { type Effect, VALUE_MUTATIONS } from "./mutations/values.js";
import { mutatedFiles } from "./support/files.js";
import { expectWitness } from "./support/witness.js";

type Json = ReturnType<typeof JSON.parse>;
type Severity = "major" | "minor" | "patch";

/** Severity forwards and backwards, for who reads values and for who sends them. */
const SEVERITIES: Readonly<Record<Effect, Readonly<Record<"read" | "sent", readonly [Severity, Severity]>>>> =
  {
    "accepts fewer values": { read: ["minor", "major"], sent: ["major", "minor"] },
    "accepts more values": { read: ["major", "minor"], sent: ["minor", "major"] },
    "accepts other values": { read: ["major", "major"], sent: ["major", "major"] },
    "can not be decided": { read: ["major", "major"], sent: ["major", "major"] },
    "accepts the same values": { read: ["patch", "patch"], sent: ["patch", "patch"] },
  };

describe("every kind of change, at random places of real and made files", () => {
  const files = mutatedFiles();

  it("covers more than a hundred kinds of change", () => {
    expect(VALUE_MUTATIONS.length + PART_MUTATIONS.length + MEMBER_MUTATIONS.length).to.be.above(100);
  });

  for (const mutation of VALUE_MUTATIONS) {
    const expected = SEVERITIES[mutation.effect];
    it(`${mutation.name}: ${mutation.code}, and ${mutation.reverse} backwards`, () => {
      atObjects(files, (old, next, { side, check }) => {
        old.properties.mutated = structuredClone(mutation.before);
        next.properties.mutated = structuredClone(mutation.after);
        check([mutation.code, mutation.reverse], mutation.severities ?? expected[side], {
          isShown: mutation.effect !== "accepts the same values" && mutation.effect !== "can not be decided",
          isOpen: mutation.effect === "can not be decided",
        });
      });
    }).timeout(SLOW_TEST_MS);
  }

  for (const { name, apply, code, reverse, ...severities } of MEMBER_MUTATIONS) {
    it(`${name}: ${code}, and ${reverse} backwards`, () => {
      atObjects(files, (old, next, { side, check }) => {
        old.properties.mutated = { type: "string" };
        next.properties.mutated = { type: "string" };
        apply(next);
        check([code, reverse], severities[side], { isShown: next.properties.added !== true });
      });
    }).timeout(SLOW_TEST_MS);
  }

  for (const mutation of PART_MUTATIONS) {
    const [code, severity] = mutation.expected;
    it(`${mutation.name}: ${code} ${severity}, and ${mutation.reverse.join(" ")} backwards`, () => {
      expect(files.filter((file) => isTold(mutation, file)).length, "files").to.be.above(0);
    }).timeout(SLOW_TEST_MS);
  }
});

/** Whether `file` has a place for the change; if so, it is found there, forwards and backwards. */
function isTold(mutation: PartMutation, file: Json): boolean {
  const old = structuredClone(file);
  prepare(mutation, old);
  const next = structuredClone(old);
  if (!mutation.apply(next, randomFrom(mutation.name.length))) return false;
  // What switches over is switched off in one of the two directions.
  const isOn =
    mutation.expected[0] === "switched-off" && JSON.stringify(next).length < JSON.stringify(old).length;
  const [before, after] = isOn ? [next, old] : [old, next];
  const changes = [expectOne(before, after, mutation.expected), expectOne(after, before, mutation.reverse)];
  if (mutation.isShown === true) for (const change of changes) expect(change.witness).to.be.an("object");
  return true;
}

interface Place {
  readonly side: "read" | "sent";
  readonly check: (
    codes: readonly [string, string],
    severities: readonly [Severity, Severity],
    options: { readonly isShown?: boolean; readonly isOpen?: boolean },
  ) => void;
}

/** Calls `mutate` with the same object of two copies of each file, at places that are read and places that are sent. */
function atObjects(files: readonly Json[], mutate: (old: Json, next: Json, place: Place) => void): void {
  const random = randomFrom(7);
  let count = 0;
  for (const file of files) {
    for (const side of ["read", "sent"] as const) {
      for (let round = 0; round < runs(1); round++) {
        const seed = Math.floor(random() * 2 ** 31);
        const [old, next] = [structuredClone(file), structuredClone(file)];
        const place = someObject(old, side === "read", randomFrom(seed));
        const twin = someObject(next, side === "read", randomFrom(seed));
        if (place === undefined || twin === undefined) continue;
        count++;
        mutate(place.schema, twin.schema, {
          side,
          check: (codes, severities, { isShown = false, isOpen = false }) => {
            const forwards = expectOne(old, next, [codes[0], severities[0]]);
            const backwards = expectOne(next, old, [codes[1], severities[1]]);
            expect(forwards.new.pointer).to.satisfy((pointer: string) => pointer.startsWith(place.pointer));
            for (const change of [forwards, backwards]) expect(change.undecided).to.equal(isOpen);
            if (!isShown) return;
            expectWitness(forwards, old, next);
            expectWitness(backwards, next, old);
          },
        });
      }
    }
  }
  expect(count, "places").to.be.above(3);
}

/** The one change from `old` to `next`, which the verdict is made of. */
function expectOne(old: Json, next: Json, [code, severity]: readonly [string, string]): Change {
  const { verdict, changes } = compareConnectors(modelOf(old), modelOf(next));
  const said = changes.map((change) => `${change.code} ${change.severity} ${change.message}`).join("\n");
  expect(
    changes.map((change) => change.code),
    said,
  ).to.deep.equal([code]);
  expect(verdict, said).to.equal(severity);
  return changes[0] as Change;
}

const models = new WeakMap<object, ConnectorModel>();

/** The model of a file that no longer changes. */
function modelOf(file: Json): ConnectorModel {
  const known = models.get(file);
  if (known !== undefined) return known;
  const { model, diagnostics } = readConnectorJson(JSON.stringify(file), "connector.json");
  if (model === undefined) throw new Error(JSON.stringify(diagnostics));
  models.set(file, model);
  return model;
}
