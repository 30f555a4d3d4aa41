import { scheduleWords } from "../../../../runtime/workspaces/schedule-words.js";
import { Ago, Empty, Heading, Problem, State, Wide } from "../parts/basics.jsx";
import { ChangeButton } from "../parts/run.jsx";
import { useAnswer } from "../parts/use-answer.js";
import { useChange } from "../parts/use-change.js";
import type { ScheduleEntry } from "../shapes.js";
import { objects } from "../state.js";
import { inWords } from "../words.js";

/** So late is what no worker looks for: they look every ten seconds. */
const LATE_MS = 60_000;

/** When the data objects of the workspace are read, and how the last read ended. */
export function SchedulesPage() {
  const { answer, problem, again } = useAnswer<{ rows: readonly ScheduleEntry[] }>(
    "schedules",
    {},
    { isLive: true },
  );
  const rows = answer?.rows ?? [];
  return (
    <>
      <Heading title="Schedules" command="connectorcli schedule list" />
      {problem !== undefined && <Problem>{problem}</Problem>}
      {answer !== undefined && rows.length === 0 ? (
        <Empty>
          No data object of this workspace has a schedule.{" "}
          <code>npx connectorcli workspace set --settings</code> gives it one.
        </Empty>
      ) : (
        <Wide label="Schedules">
          <table class="list">
            <caption class="hidden">When data objects are read</caption>
            <thead>
              <tr>
                <th scope="col">Data object</th>
                <th scope="col">Schedule</th>
                <th scope="col">State</th>
                <th scope="col">Next</th>
                <th scope="col">Last</th>
                <th scope="col">If missed</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((entry) => (
                <ScheduleRow key={entry.object} entry={entry} onChange={again} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </>
  );
}

function ScheduleRow({ entry, onChange }: { readonly entry: ScheduleEntry; readonly onChange: () => void }) {
  const { object, schedule, isPaused, waitingSince, endedAt, outcome } = entry;
  const { problem, change } = useChange(onChange);
  const title = objects.value.find(({ dataPath }) => dataPath === object)?.title;
  return (
    <tr>
      <th scope="row">
        <span dir="auto">{title ?? object}</span>
        {title !== undefined && <div class="quiet small">{object}</div>}
      </th>
      <td>{scheduleWords(schedule)}</td>
      <td>
        {isPaused && <State name="paused" />}{" "}
        {waitingSince !== null && (
          <>
            <State name="waiting" /> asked for <Ago at={waitingSince} />
          </>
        )}
      </td>
      <td>
        <NextTime entry={entry} />
      </td>
      <td>
        {endedAt === null ? (
          <span class="quiet">never</span>
        ) : (
          <>
            {outcome !== null && <State name={outcome} />} <Ago at={endedAt} />
          </>
        )}
      </td>
      <td>{schedule.missed === "skip" ? "wait for the next time" : "read once"}</td>
      <td>
        <div class="tools">
          <ChangeButton
            label="Read now"
            what={object}
            onConfirm={(confirmed) => change("schedule/run", { object, confirmed })}
          />
          <ChangeButton
            label={isPaused ? "Resume" : "Pause"}
            what={object}
            onConfirm={(confirmed) => change("schedule/pause", { object, isPaused: !isPaused, confirmed })}
          />
        </div>
        {problem !== undefined && <Problem>{problem}</Problem>}
      </td>
    </tr>
  );
}

function NextTime({ entry: { nextDue, isPaused } }: { readonly entry: ScheduleEntry }) {
  if (nextDue === null || isPaused)
    return <span class="quiet">{isPaused ? "not while paused" : "never"}</span>;
  if (Date.now() - Date.parse(nextDue) > LATE_MS)
    return (
      <>
        <State name="missed" /> it was due <Ago at={nextDue} />: is there a worker?
      </>
    );
  return (
    <time dateTime={nextDue} title={nextDue}>
      {inWords(nextDue)}
    </time>
  );
}
