import { useState } from "preact/hooks";
import { Ago, Empty, Heading, Json, LongText, Problem, State, Tabs } from "../parts/basics.jsx";
import { InputForm } from "../parts/input-form.jsx";
import { ChangeButton, useWork, WorkPanel } from "../parts/run.jsx";
import { useAnswer } from "../parts/use-answer.js";
import { useChange } from "../parts/use-change.js";
import type { ActionView, SchemaAnswer } from "../shapes.js";
import { hrefOf, objects, overview, route } from "../state.js";
import { countWords } from "../words.js";

const STATES = ["all", "queued", "taken", "succeeded", "failed", "dead", "cancelled"] as const;

/** The queue of actions, and a form for a new one. */
export function ActionsPage() {
  const { query } = route.value;
  const [state, setState] = useState<(typeof STATES)[number]>("all");
  const { answer, problem, again } = useAnswer<{ rows: readonly ActionView[]; isWhole: boolean }>("actions", {
    state: state === "all" ? undefined : state,
  });
  const rows = answer?.rows ?? [];
  return (
    <>
      <Heading title="Actions" command="connectorcli queue list">
        <ActionChoice />
      </Heading>
      {query.get("action") !== null && <TryAction key={`${query}`} onDone={again} />}
      <Tabs label="State" names={STATES} chosen={state} onChoose={setState} />
      {problem !== undefined && <Problem>{problem}</Problem>}
      {rows.length === 0 ? (
        <Empty>{state === "all" ? "The queue is empty." : `No action is ${state}.`}</Empty>
      ) : (
        rows.map((action) => <QueuedAction key={action.id} action={action} onChange={again} />)
      )}
    </>
  );
}

function ActionChoice() {
  const { query } = route.value;
  const chosen = `${query.get("object")}\n${query.get("action")}`;
  const all = objects.value.flatMap(({ dataPath, title, actions }) =>
    actions.map((action) => ({ id: `${dataPath}\n${action.urlPart}`, words: `${title}: ${action.title}` })),
  );
  return (
    <label>
      New action{" "}
      <select
        value={query.get("action") === null ? "" : chosen}
        onChange={(event) => {
          const [object, action] = event.currentTarget.value.split("\n");
          location.hash = hrefOf("actions", action === undefined ? {} : { object, action }).slice(1);
        }}
      >
        <option value="">choose…</option>
        {all.map(({ id, words }) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function TryAction({ onDone }: { readonly onDone: () => void }) {
  const { query } = route.value;
  const [object, name] = [query.get("object") ?? "", query.get("action") ?? ""];
  const { answer, problem } = useAnswer<SchemaAnswer>("schema", { object });
  const action = answer?.actions.find(({ urlPart }) => urlPart === name);
  const work = useWork();
  const [input, setInput] = useState<unknown>({});
  const [count, setCount] = useState(0);
  const sent = (more: object = {}) => ({ object, action: name, input, ...more });
  const trial = work.ended?.trial;
  const { connection, database } = overview.value ?? {};
  return (
    <section class="group" aria-label="New action">
      {problem !== undefined && <Problem>{problem}</Problem>}
      {action !== undefined && (
        <>
          <h2 dir="auto">{action.title}</h2>
          <p dir="auto">{action.description}</p>
          <InputForm schema={action.input} value={input} onChange={setInput} onFindings={setCount} />
          <p aria-live="polite" class="small">
            {count === 0 ? "The input fits its schema." : `${countWords(count, "finding")} in the input.`}
          </p>
          <div class="tools">
            <button
              type="button"
              disabled={work.isRunning}
              onClick={() => work.begin("act", sent({ dryRun: true }))}
            >
              Show what would be sent
            </button>
            <ChangeButton
              label="Perform once"
              of={connection}
              isDisabled={work.isRunning}
              onConfirm={(confirmed) => work.begin("act", sent({ confirmed }))}
            />
            <ChangeButton
              label={database === undefined ? "Queue and perform" : "Queue for a worker"}
              isDisabled={work.isRunning}
              onConfirm={(confirmed) => {
                work.begin("queue/add", sent({ confirmed }));
                setTimeout(onDone, 1_000);
              }}
            />
            {connection?.isProduction === true && <span class="state bad">production</span>}
          </div>
          <WorkPanel work={work}>
            {trial !== undefined && (
              <>
                <p role="status">
                  <State name={trial.outcome} /> {trial.message}
                </p>
                {trial.requests.map((request) => (
                  <LongText key={request.address} label="A request that would be sent">
                    {`${request.method} ${request.address}\n${JSON.stringify(request.body, null, 2)}`}
                  </LongText>
                ))}
                {trial.result !== null && <Json label="The result" value={trial.result} />}
                {trial.changes.map((change) => (
                  <p key={change.key} dir="auto">
                    In the cache: <State name={change.operation} /> {change.key}
                  </p>
                ))}
              </>
            )}
          </WorkPanel>
        </>
      )}
    </section>
  );
}

function QueuedAction({ action, onChange }: { readonly action: ActionView; readonly onChange: () => void }) {
  const { id, state, object, attempts, queuedAt, dueAt, input, result, note } = action;
  const { problem, change } = useChange(onChange);
  const canRetry = state === "failed" || state === "dead" || state === "cancelled" || state === "queued";
  return (
    <details class="group">
      <summary dir="auto">
        <span class="number">{id}</span> <State name={state} /> {object}/{action.action},{" "}
        {countWords(attempts, "attempt")}, queued <Ago at={queuedAt} />
        {state === "queued" && dueAt !== queuedAt && (
          <>
            , due <time dateTime={dueAt}>{dueAt}</time>
          </>
        )}
      </summary>
      <div class="tools">
        {canRetry && (
          <ChangeButton
            label={state === "queued" ? "Due now" : "Queue again"}
            onConfirm={(confirmed) => change("queue/retry", { id, confirmed })}
          />
        )}
        {state === "queued" && (
          <ChangeButton
            label="Cancel the action"
            onConfirm={(confirmed) => change("queue/cancel", { id, confirmed })}
          />
        )}
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
      <h3>Input</h3>
      <Json label="Input" value={input} />
      {result !== null && (
        <>
          <h3>Result</h3>
          <Json label="Result" value={result} />
        </>
      )}
      {note !== null && (
        <p>
          Noted last: {note.stage} {note.detail}
        </p>
      )}
    </details>
  );
}
