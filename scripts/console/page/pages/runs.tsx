import { useState } from "preact/hooks";
import { Ago, Count, Empty, Heading, Problem, State, Wide } from "../parts/basics.jsx";
import { ObjectChoice } from "../parts/object-choice.jsx";
import { useAnswer } from "../parts/use-answer.js";
import type { RunView } from "../shapes.js";
import { objects, route } from "../state.js";
import { durationWords, numberWords } from "../words.js";

/** The runs of the cache writer, the newest first. */
export function RunsPage() {
  const object = route.value.query.get("object") ?? undefined;
  const { answer, problem } = useAnswer<{ rows: readonly RunView[] }>("runs", { object });
  const [isFailedOnly, setFailedOnly] = useState(false);
  const all = answer?.rows ?? [];
  const rows = isFailedOnly ? all.filter(({ state }) => state !== "succeeded" && state !== "running") : all;
  const longest = Math.max(1, ...rows.map(tookMs));
  return (
    <>
      <Heading title="Runs" command="connectorcli runs list">
        <ObjectChoice all="All data objects" />
        <label>
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={(event) => setFailedOnly(event.currentTarget.checked)}
          />{" "}
          Failed only
        </label>
      </Heading>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {rows.length === 0 ? (
        <Empty>{all.length === 0 ? "Nothing was run yet." : "No run has failed."}</Empty>
      ) : (
        <Wide label="Runs of the cache writer">
          <table class="list">
            <caption class="hidden">Runs of the cache writer</caption>
            <thead>
              <tr>
                <th scope="col" class="number">
                  Run
                </th>
                <th scope="col">Data object</th>
                <th scope="col">State</th>
                <th scope="col">Began</th>
                <th scope="col">Took</th>
                <th scope="col" class="number">
                  Records a second
                </th>
                {COUNTS.map((name) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((run) => (
                <RunRows key={run.id} run={run} share={tookMs(run) / longest} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </>
  );
}

const COUNTS = ["inserted", "updated", "deleted", "unchanged", "rejected"] as const;

function tookMs({ startedAt, endedAt }: RunView): number {
  return endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt);
}

function RunRows({ run, share }: { readonly run: RunView; readonly share: number }) {
  const { id, object, kind, state, startedAt, endedAt, message } = run;
  const read = run.inserted + run.updated + run.unchanged + run.rejected;
  const seconds = tookMs(run) / 1_000;
  return (
    <>
      <tr id={`run-${id}`}>
        <td class="number">{id}</td>
        <th scope="row" dir="auto">
          {objects.value.find(({ dataPath }) => dataPath === object)?.title ?? object}{" "}
          <span class="quiet small">{kind}</span>
        </th>
        <td>
          <State name={state} />
        </td>
        <td>
          <Ago at={startedAt} />
        </td>
        <td>
          <span class="bar" aria-hidden="true">
            <span style={{ width: `${Math.round(share * 100)}%` }} />
          </span>{" "}
          {durationWords(startedAt, endedAt)}
        </td>
        <td class="number">{seconds > 0 ? numberWords(Math.round(read / seconds)) : ""}</td>
        {COUNTS.map((name) => (
          <td key={name} class="number">
            <Count value={run[name]} />
          </td>
        ))}
      </tr>
      {message !== null && (
        <tr class="message">
          <td />
          <td colSpan={5 + COUNTS.length} dir="auto">
            {message}
          </td>
        </tr>
      )}
    </>
  );
}
