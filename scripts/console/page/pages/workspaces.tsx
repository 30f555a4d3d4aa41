import { useState } from "preact/hooks";
import { Count, Empty, Heading, Problem, State, Wide } from "../parts/basics.jsx";
import { ChangeButton } from "../parts/run.jsx";
import { useAnswer } from "../parts/use-answer.js";
import { useChange } from "../parts/use-change.js";
import type { WorkspaceSummary } from "../shapes.js";
import { hrefOf } from "../state.js";
import { countWords } from "../words.js";

/** The workspaces of the database: which are served, and what waits in them. */
export function WorkspacesPage() {
  const [text, setText] = useState("");
  const { answer, problem, again } = useAnswer<{ rows: readonly WorkspaceSummary[]; count: number }>(
    "workspaces",
    { text },
    { isLive: true },
  );
  const { rows = [], count = 0 } = answer ?? {};
  return (
    <>
      <Heading title="Workspaces" command="connectorcli workspace list">
        <search>
          <input
            type="search"
            aria-label="Find by name"
            placeholder="Find by name"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </search>
        <span class="quiet" role="status">
          {answer !== undefined && countWords(count, "workspace")}
          {rows.length < count && `, the first ${rows.length} are shown`}
        </span>
      </Heading>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {answer !== undefined && rows.length === 0 ? (
        <Empty>
          {text === "" ? (
            <>
              The database has no workspaces yet. <code>npx connectorcli workspace add</code> adds one.
            </>
          ) : (
            "No workspace has this in its name."
          )}
        </Empty>
      ) : (
        <Wide label="Workspaces">
          <table class="list">
            <caption class="hidden">Workspaces, what they are connected with, and what waits in them</caption>
            <thead>
              <tr>
                <th scope="col">Workspace</th>
                <th scope="col">State</th>
                <th scope="col">Connection</th>
                <th scope="col" class="number">
                  Schedules
                </th>
                <th scope="col" class="number">
                  Open actions
                </th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((workspace) => (
                <WorkspaceRow key={workspace.name} workspace={workspace} onChange={again} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </>
  );
}

function WorkspaceRow({
  workspace,
  onChange,
}: {
  readonly workspace: WorkspaceSummary;
  readonly onChange: () => void;
}) {
  const { name, connection, environment, isServed, isPaused, schedules, openActions } = workspace;
  const { problem, change } = useChange(onChange);
  const target = { title: name, isProduction: environment === "Production" };
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf("overview", { workspace: name })} dir="auto">
          {name}
        </a>
      </th>
      <td>
        <State name={isPaused ? "paused" : isServed ? "served" : "not-served"} />
      </td>
      <td>
        {isServed ? (
          <a href={hrefOf("connection", { workspace: name })}>
            set<span class="hidden"> for {name}</span>
          </a>
        ) : (
          <span class="quiet">not set</span>
        )}{" "}
        <span class="quiet small" dir="auto">
          {connection ?? ""}
        </span>{" "}
        {environment !== null && (
          <span class={target.isProduction ? "state bad" : "badge"}>{environment.toLowerCase()}</span>
        )}
      </td>
      <td class="number">
        {schedules === 0 ? (
          <Count value={0} />
        ) : (
          <a href={hrefOf("schedules", { workspace: name })}>
            <Count value={schedules} />
          </a>
        )}
      </td>
      <td class="number">
        {openActions === 0 ? (
          <Count value={0} />
        ) : (
          <a href={hrefOf("actions", { workspace: name })}>
            <Count value={openActions} />
          </a>
        )}
      </td>
      <td>
        {isServed && (
          <ChangeButton
            label={isPaused ? "Resume" : "Pause"}
            what={name}
            of={target}
            onConfirm={(confirmed) => change("workspace/pause", { name, isPaused: !isPaused, confirmed })}
          />
        )}
        {problem !== undefined && <Problem>{problem}</Problem>}
      </td>
    </tr>
  );
}
