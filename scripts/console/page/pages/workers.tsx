import { useEffect } from "preact/hooks";
import { Ago, Count, Empty, Heading, Problem, State, Wide } from "../parts/basics.jsx";
import { ChangeButton, useWork, WorkPanel } from "../parts/run.jsx";
import { useAnswer } from "../parts/use-answer.js";
import type { WorkersAnswer } from "../shapes.js";
import { hrefOf } from "../state.js";
import { countWords, inWords } from "../words.js";

const KINDS: Readonly<Record<string, string>> = { act: "performs actions", sync: "reads" };
/** Enough to tell workers apart. */
const SHORT = 8;

/** The workers of the database: which live, what they do, and what waits for them. */
export function WorkersPage() {
  const { answer, problem, again } = useAnswer<WorkersAnswer>("workers", {}, { isLive: true });
  const work = useWork();
  // The one that runs here is shown as soon as it has said something.
  useEffect(again, [work.isRunning && work.lines.length > 0]);
  const { workers = [], leases = [], waiting, target } = answer ?? {};
  return (
    <>
      <Heading title="Workers" command="connectorcli worker list">
        <ChangeButton
          label="Run a worker here"
          of={target}
          isDisabled={work.isRunning}
          onConfirm={(confirmed) => work.begin("serve", { confirmed })}
        />
        <span class="quiet small">
          as <code>connectorcli serve</code> does, for as long as this page is open
        </span>
      </Heading>
      <WorkPanel work={work} />
      {problem !== undefined && <Problem>{problem}</Problem>}
      {waiting !== undefined && (
        <p role="status">
          Waiting: {countWords(waiting.dueActions, "action")}
          {waiting.dueActions > 0 &&
            `, one for ${countWords(Math.round(waiting.oldestDueSeconds), "second")}`}
          ; {countWords(waiting.waitingReads, "data object")} to be read.
        </p>
      )}
      {answer !== undefined && workers.length === 0 ? (
        <Empty>
          No worker is there: what waits goes on waiting. <code>npx connectorcli serve</code> runs one, on any
          machine.
        </Empty>
      ) : (
        <Wide label="Workers">
          <table class="list">
            <caption class="hidden">Workers and the workspaces that they serve</caption>
            <thead>
              <tr>
                <th scope="col">Worker</th>
                <th scope="col">State</th>
                <th scope="col">Heard of</th>
                <th scope="col">Serves right now</th>
                <th scope="col" class="number">
                  Leases
                </th>
              </tr>
            </thead>
            <tbody>
              {workers.map(({ id, isAlive, beatAt, turns }) => (
                <tr key={id}>
                  <th scope="row">
                    <code title={id}>{id.slice(0, SHORT)}</code>
                  </th>
                  <td>
                    <State name={isAlive ? "alive" : "gone"} />
                  </td>
                  <td>
                    <Ago at={beatAt} />
                  </td>
                  <td>
                    {turns.length === 0 && <span class="quiet">nobody</span>}
                    {turns.map(({ workspace, kind }) => (
                      <div key={`${kind} ${workspace}`}>
                        <a href={hrefOf("runs", { workspace })} dir="auto">
                          {workspace}
                        </a>{" "}
                        <span class="quiet small">{KINDS[kind] ?? kind}</span>
                      </div>
                    ))}
                  </td>
                  <td class="number">
                    <Count value={leases.filter(({ worker }) => worker === id).length} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {leases.length > 0 && (
        <Wide label="Leases">
          <table class="list">
            <caption>Leases: what nobody else begins until its time is over</caption>
            <thead>
              <tr>
                <th scope="col">Workspace</th>
                <th scope="col">What</th>
                <th scope="col">Worker</th>
                <th scope="col">Ends unless it is renewed</th>
              </tr>
            </thead>
            <tbody>
              {leases.map(({ workspace, object, action, worker, until }) => (
                <tr key={`${workspace} ${object} ${action?.id}`}>
                  <th scope="row" dir="auto">
                    {workspace}
                  </th>
                  <td>
                    {action === null
                      ? `${object} is read`
                      : `${object}/${action.name}: action ${action.id}, attempt ${action.attempts}`}
                  </td>
                  <td>{worker === null ? "" : <code title={worker}>{worker.slice(0, SHORT)}</code>}</td>
                  <td>{Date.parse(until) < Date.now() ? <State name="over" /> : inWords(until)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </>
  );
}
