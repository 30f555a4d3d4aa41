import { expect } from "chai";
import fc from "fast-check";
import { isStillDue, nextDue, parseSchedule, ScheduleError } from "../../../runtime/workspaces/schedule.js";

const DAY_MS = 86_400_000;
const AT = new Date("2026-03-28T12:00:00Z");

describe("schedules", () => {
  it("of intervals come so many seconds apart, each workspace at a moment of its own", () => {
    const schedule = parseSchedule({ everySeconds: 3_600 });
    const seeds = Array.from({ length: 50 }, (_, index) => `workspace ${index}`);
    const firsts = seeds.map((seed) => nextDue(schedule, AT, seed)?.getTime() ?? 0);
    for (const [index, first] of firsts.entries()) {
      expect(first).to.be.within(AT.getTime() + 1, AT.getTime() + 3_600_000);
      expect(nextDue(schedule, new Date(first), seeds[index] ?? "")?.getTime()).to.equal(first + 3_600_000);
    }
    expect(new Set(firsts).size).to.be.greaterThan(45);
    expect(nextDue(schedule, AT, "workspace 1")).to.deep.equal(nextDue(schedule, AT, "workspace 1"));
  });

  it("of calendars come by the clock of their time zone, also when that is changed", () => {
    const exact = (cron: string, timeZone: string) =>
      nextDue(parseSchedule({ cron, timeZone, jitterSeconds: 0 }), AT, "seed")?.toISOString();
    expect(exact("0 2 * * *", "UTC")).to.equal("2026-03-29T02:00:00.000Z");
    expect(exact("30 8 * * 1", "Europe/Berlin")).to.equal("2026-03-30T06:30:00.000Z");
    expect(exact("30 8 * * 1", "America/New_York")).to.equal("2026-03-30T12:30:00.000Z");
  });

  it("of calendars are spread over a tenth of the time between two, at most over five minutes", () => {
    const daily = parseSchedule({ cron: "0 2 * * *" });
    const hour = Date.parse("2026-03-29T02:00:00Z");
    const times = Array.from({ length: 50 }, (_, index) => nextDue(daily, AT, `${index}`)?.getTime() ?? 0);
    for (const time of times) expect(time).to.be.within(hour, hour + 300_000);
    expect(new Set(times).size).to.be.greaterThan(45);
    const often = nextDue(parseSchedule({ cron: "* * * * *" }), AT, "seed")?.getTime() ?? 0;
    expect((often - AT.getTime()) % 60_000).to.be.lessThan(6_000);
  });

  it("come after the time that was asked for, and none is left out between two", () => {
    const schedules = fc.constantFrom(
      { everySeconds: 10 },
      { everySeconds: 86_400 },
      { cron: "*/5 * * * *" },
      { cron: "0 2 * * *", timeZone: "Europe/Berlin" },
      { cron: "15 4 * * *", jitterSeconds: 30 },
    );
    fc.assert(
      fc.property(schedules, fc.nat(365 * DAY_MS), fc.string(), (value, offset, seed) => {
        const schedule = parseSchedule(value);
        const after = new Date(AT.getTime() + offset);
        const due = nextDue(schedule, after, seed);
        if (due === undefined) throw new Error("there is always a next time");
        expect(due.getTime()).to.be.greaterThan(after.getTime());
        const between = new Date((after.getTime() + due.getTime()) / 2);
        expect(nextDue(schedule, between, seed)).to.deep.equal(due);
      }),
      { numRuns: 60 },
    );
  });

  it("that were missed are done once, or not at all", () => {
    const [due, later] = [AT, new Date(AT.getTime() + 61_000)];
    expect(isStillDue(parseSchedule({ everySeconds: 60 }), due, later)).to.equal(true);
    expect(isStillDue(parseSchedule({ everySeconds: 60, missed: "skip" }), due, later)).to.equal(false);
    expect(isStillDue(parseSchedule({ everySeconds: 60, missed: "skip" }), due, due)).to.equal(true);
  });

  const WRONG: readonly (readonly [unknown, string])[] = [
    [undefined, "A schedule is an object with everySeconds or cron."],
    [{}, "A schedule has either everySeconds or cron."],
    [{ everySeconds: 60, cron: "* * * * *" }, "A schedule has either everySeconds or cron."],
    [{ every: 60 }, 'A schedule has no "every"'],
    [{ everySeconds: 1 }, "everySeconds: expected a whole number of seconds from 10"],
    [{ everySeconds: 60, timeZone: "UTC" }, "timeZone and jitterSeconds go with cron."],
    [{ cron: "every day" }, 'cron: "every day"'],
    [{ cron: "0 2 * * *", timeZone: "Nowhere/Else" }, "Nowhere/Else"],
    [{ cron: "0 0 30 2 *" }, "never comes again"],
    [{ cron: 5 }, "cron: expected a text"],
    [{ cron: "0 2 * * *", missed: "twice" }, "missed: expected"],
  ];
  for (const [value, words] of WRONG) {
    it(`are refused in words: ${JSON.stringify(value)}`, () => {
      expect(() => parseSchedule(value)).to.throw(ScheduleError, words);
    });
  }
});
