import { useEffect, useState } from "preact/hooks";
import { Ago, Checkbox, Count, Empty, Heading, Problem, State, Wide } from "../parts/basics.jsx";
import { Beside, enterBeside } from "../parts/beside.jsx";
import { Calls } from "../parts/calls.jsx";
import { ObjectChoice } from "../parts/object-choice.jsx";
import { useAnswer } from "../parts/use-answer.js";
import type { RunAnswer, RunView } from "../shapes.js";
import { hrefOf, nameOf, objects, route } from "../state.js";
import { countWords, durationWords, millisecondWords, numberWords } from "../words.js";

/** The runs of the cache writer, the newest first. */
export function RunsPage() {
  const { query } = route.value;
  const object = query.get("object") ?? undefined;
  const [isFailedOnly, setFailedOnly] = useState(false);
  const { answer, problem } = useAnswer<{ rows: readonly RunView[] }>("runs", {
    object,
    failed: isFailedOnly ? "true" : undefined,
  });
  const rows = answer?.rows ?? [];
  const longest = Math.max(1, ...rows.map(tookMs));
  const chosen = rows.find(({ id }) => String(id) === query.get("run"));
  useEffect(() => {
    if (document.activeElement?.getAttribute("aria-expanded") === "true") enterBeside();
  }, [chosen?.id]);
  const hrefTo = (run: number | undefined) => hrefOf("runs", { object, run: run?.toString() });
  return (
    <>
      <Heading title="Runs" command={commandOf(chosen, object, isFailedOnly)}>
        <ObjectChoice all="All data objects" />
        <Checkbox isChecked={isFailedOnly} onChange={setFailedOnly}>
          Failed only
        </Checkbox>
      </Heading>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {answer !== undefined && rows.length === 0 && (
        <Empty>
          {isFailedOnly ? (
            "No run has failed."
          ) : (
            <>
              Nothing was run yet. <code>npx connectorcli run cache-writer</code> does it.
            </>
          )}
        </Empty>
      )}
      {rows.length > 0 && (
        <div class={chosen === undefined ? "split" : "split below"}>
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
                      {`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((run) => (
                  <RunRows
                    key={run.id}
                    run={run}
                    share={tookMs(run) / longest}
                    href={hrefTo(run === chosen ? undefined : run.id)}
                    isChosen={run === chosen}
                  />
                ))}
              </tbody>
            </table>
          </Wide>
          {chosen !== undefined && (
            <Beside
              key={chosen.id}
              label="The chosen run"
              title={`Run ${chosen.id}: requests and pages`}
              onClose={() => {
                location.hash = hrefTo(undefined).slice(1);
              }}
            >
              <RunDetails run={chosen} />
            </Beside>
          )}
        </div>
      )}
    </>
  );
}

function commandOf(chosen: RunView | undefined, object: string | undefined, isFailedOnly: boolean): string {
  if (chosen !== undefined) return `connectorcli runs show ${chosen.id}`;
  const name = object === undefined ? "" : ` ${nameOf(object)}`;
  return `connectorcli runs list${name}${isFailedOnly ? " --failed" : ""}`;
}

/** Pages and requests of a run, as they came. */
function RunDetails({ run }: { readonly run: RunView }) {
  const { answer, problem } = useAnswer<RunAnswer>("run", { id: run.id });
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  if (answer === undefined) return <p class="quiet">Loading…</p>;
  const { calls, callCount, pages } = answer;
  return (
    <>
      {pages.length > 0 && (
        <details>
          <summary>{countWords(pages.length, "page")} committed</summary>
          <ol class="timeline">
            {pages.map(({ at, read, pages: number }, index) => (
              <li key={number}>
                <time dateTime={at} title={at} class="quiet">
                  +{millisecondWords(Date.parse(at) - Date.parse(run.startedAt))}
                </time>{" "}
                page {number}: {countWords(read - (pages[index - 1]?.read ?? 0), "record")},{" "}
                {numberWords(read)} in all
              </li>
            ))}
          </ol>
        </details>
      )}
      <Calls calls={calls} count={callCount} of="run" />
    </>
  );
}

const COUNTS = ["inserted", "updated", "deleted", "unchanged", "rejected"] as const;

function tookMs({ startedAt, endedAt }: RunView): number {
  return endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt);
}

function RunRows({
  run,
  share,
  href,
  isChosen,
}: {
  readonly run: RunView;
  /** How long it took, of the longest. */
  readonly share: number;
  readonly href: string;
  readonly isChosen: boolean;
}) {
  const { id, object, kind, state, startedAt, endedAt, message } = run;
  const read = run.inserted + run.updated + run.unchanged + run.rejected;
  const seconds = tookMs(run) / 1_000;
  return (
    <>
      <tr class={isChosen ? "chosen" : undefined}>
        <td class="number">
          <a href={href} aria-label={`Requests of run ${id}`} aria-expanded={isChosen}>
            {id}
          </a>
        </td>
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
        <tr class={`message ${state === "needs-approval" ? "warn" : "bad"}`}>
          <td />
          <td colSpan={5 + COUNTS.length} dir="auto">
            {message}
          </td>
        </tr>
      )}
    </>
  );
}
