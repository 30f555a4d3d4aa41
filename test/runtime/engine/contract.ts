/** What every engine behind the port does. A driver's test calls this with a way to have one. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Engine, EngineWorker, WakeUp, WorkOptions } from "../../../runtime/engine/engine.js";
import { SILENT } from "../../support/item-cache.js";
import { deferred } from "../../support/promises.js";

export interface EnginePlace {
  readonly engine: Engine;
  /** Workspaces of these names, of nobody else. */
  workspaces(count: number): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export function engineContract(newPlace: () => Promise<EnginePlace>): void {
  let place: EnginePlace;
  let workers: EngineWorker[];

  beforeEach(async () => {
    place = await newPlace();
    workers = [];
  });

  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    await place.remove();
  });

  async function work(serve: WorkOptions["serve"], slots = { act: 4, sync: 2 }): Promise<EngineWorker> {
    const worker = await place.engine.work({ slots, serve, log: SILENT });
    workers.push(worker);
    return worker;
  }

  async function workspace(): Promise<string> {
    const [name = ""] = await place.workspaces(1);
    return name;
  }

  const textOf = ({ kind, workspace }: WakeUp) => `${kind} ${workspace}`;

  it("serves what was woken before anybody worked, each kind and workspace for itself", async () => {
    const [one = "", two = ""] = await place.workspaces(2);
    const served = new Set<string>();
    const all = deferred();
    await work(async () => {});
    await workers.pop()?.stop();
    for (const wakeUp of [
      { kind: "act", workspace: one },
      { kind: "sync", workspace: one },
      { kind: "act", workspace: two },
    ] as const)
      await place.engine.wake(wakeUp);
    await work(async (wakeUp) => {
      served.add(textOf(wakeUp));
      if (served.size === 3) all.resolve();
    });
    await all.promise;
    expect([...served]).to.have.members([`act ${one}`, `sync ${one}`, `act ${two}`]);
  });

  it("serves a kind and workspace once at a time, on all workers together, and again if it was woken meanwhile", async () => {
    const name = await workspace();
    const done = deferred();
    let [served, atOnce, most] = [0, 0, 0];
    const serve = async () => {
      atOnce++;
      most = Math.max(most, atOnce);
      served++;
      if (served === 1)
        for (let count = 0; count < 5; count++) await place.engine.wake({ kind: "act", workspace: name });
      await sleep(30);
      atOnce--;
      if (served > 1) done.resolve();
    };
    await work(serve);
    await work(serve);
    await place.engine.wake({ kind: "act", workspace: name });
    await done.promise;
    expect(most).to.equal(1);
    expect(served).to.be.within(2, 6);
  });

  it("lets no workspace that is always woken again keep the others waiting", async () => {
    const [noisy = "", ...quiet] = await place.workspaces(6);
    const served: string[] = [];
    const all = deferred();
    await place.engine.wake({ kind: "act", workspace: noisy });
    for (const workspace of quiet) await place.engine.wake({ kind: "act", workspace });
    await work(
      async (wakeUp) => {
        served.push(wakeUp.workspace);
        if (wakeUp.workspace === noisy) await place.engine.wake(wakeUp);
        if (quiet.every((name) => served.includes(name))) all.resolve();
      },
      { act: 1, sync: 1 },
    );
    await all.promise;
    // Each of the others had its turn before the noisy one had many.
    expect(served.filter((name) => name === noisy).length).to.be.lessThan(quiet.length + 2);
  });

  it("serves a wake-up with a delay later, and one without meanwhile", async () => {
    const name = await workspace();
    const times: number[] = [];
    const done = deferred();
    const begun = performance.now();
    await work(async ({ workspace }) => {
      if (workspace !== name) return;
      times.push(performance.now() - begun);
      if (times.length === 2) done.resolve();
    });
    await place.engine.wake({ kind: "act", workspace: name }, 600);
    await place.engine.wake({ kind: "act", workspace: name });
    await done.promise;
    expect(times[1]).to.be.at.least(550);
    expect(times[0]).to.be.lessThan(times[1] ?? 0);
  });

  it("waits for what is being served when a worker stops, and gives the rest to others", async () => {
    const [one = "", two = ""] = await place.workspaces(2);
    const [begun, end, other] = [deferred(), deferred(), deferred()];
    const said: string[] = [];
    const first = await work(
      async ({ workspace }) => {
        begun.resolve();
        await end.promise;
        said.push(`first ended ${workspace}`);
      },
      { act: 1, sync: 1 },
    );
    await place.engine.wake({ kind: "act", workspace: one });
    await begun.promise;
    const stopped = first.stop().then(() => said.push("stopped"));
    workers.pop();
    await place.engine.wake({ kind: "act", workspace: two });
    await work(async ({ workspace }) => {
      said.push(`second served ${workspace}`);
      other.resolve();
    });
    await other.promise;
    end.resolve();
    await stopped;
    expect(said).to.deep.equal([`second served ${two}`, `first ended ${one}`, "stopped"]);
  });

  it("says that a worker lives", async () => {
    const worker = await work(async () => {});
    expect(worker.isAlive()).to.equal(true);
  });
}
