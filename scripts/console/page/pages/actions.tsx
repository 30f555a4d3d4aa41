import { useEffect, useState } from "preact/hooks";
import { Ago, Button, Empty, Heading, Json, LongText, Problem, RecordKey, State } from "../parts/basics.jsx";
import { Calls } from "../parts/calls.jsx";
import { ConnectionProblem, connectionProblem } from "../parts/connection-problem.jsx";
import { InputForm } from "../parts/input-form.jsx";
import { ChangeButton, useWork, WorkPanel } from "../parts/run.jsx";
import { Tabs } from "../parts/tabs.jsx";
import { useAnswer } from "../parts/use-answer.js";
import { useChange } from "../parts/use-change.js";
import type { ActionAnswer, ActionView, SchemaAnswer } from "../shapes.js";
import { hrefOf, nameOf, objects, overview, route } from "../state.js";
import { countWords, HIDDEN, millisecondWords } from "../words.js";

const STATES = ["all", "queued", "taken", "succeeded", "failed", "dead", "cancelled"] as const;

/** The queue of actions, and a form for a new one. */
export function ActionsPage() {
  const { query } = route.value;
  const [state, setState] = useState<(typeof STATES)[number]>("all");
  const { answer, problem, again } = useAnswer<{ rows: readonly ActionView[]; isWhole: boolean }>("actions", {
    state: state === "all" ? undefined : state,
  });
  const rows = answer?.rows ?? [];
  const work = useWork();
  const counts = work.ended?.counts;
  useEffect(again, [work.isRunning]);
  return (
    <>
      <Heading title="Actions" command={commandOf(query, state)}>
        <ActionChoice />
        <ChangeButton
          label="Perform what is due"
          isDisabled={work.isRunning}
          onConfirm={(confirmed) => work.begin("queue/perform", { confirmed })}
        />
      </Heading>
      <WorkPanel work={work}>{counts !== undefined && <p role="status">{attemptWords(counts)}</p>}</WorkPanel>
      {query.get("action") !== null && <TryAction key={`${query}`} onDone={again} />}
      <Tabs label="State" names={STATES} chosen={state} onChoose={setState}>
        {rows.length > 0 && (state === "failed" || state === "dead" || state === "cancelled") && (
          <RetryAll state={state} onDone={again} />
        )}
        {problem !== undefined && <Problem>{problem}</Problem>}
        {rows.length === 0 ? (
          <Empty>{state === "all" ? "The queue is empty." : `No action is ${state}.`}</Empty>
        ) : (
          rows.map((action) => <QueuedAction key={action.id} action={action} onChange={again} />)
        )}
      </Tabs>
    </>
  );
}

function commandOf(query: URLSearchParams, state: (typeof STATES)[number]): string {
  const [object, action] = [query.get("object"), query.get("action")];
  if (object !== null && action !== null)
    return `connectorcli act ${action} --data-object-url ${nameOf(object)} --input … --dry-run`;
  return `connectorcli queue list${state === "all" ? "" : ` --state ${state}`}`;
}

/** How many attempts ended how. */
function attemptWords(counts: Readonly<Record<string, unknown>>): string {
  const some = Object.entries(counts).filter(([, count]) => count !== 0);
  return some.length === 0
    ? "Nothing was due."
    : `Attempts: ${some.map(([name, count]) => `${count} ${name}`).join(", ")}.`;
}

/** Queues all actions of a state again: dead letters, after what killed them is mended. */
function RetryAll({ state, onDone }: { readonly state: string; readonly onDone: () => void }) {
  const { problem, change } = useChange(onDone);
  return (
    <>
      <ChangeButton
        label={`Queue all that are ${state} again`}
        onConfirm={(confirmed) => change("queue/retry-all", { state, confirmed })}
      />
      {problem !== undefined && <Problem>{problem}</Problem>}
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
  // What was queued and performed is in the list then.
  useEffect(onDone, [work.isRunning]);
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
            <Button
              isDisabled={work.isRunning || connectionProblem() !== undefined}
              title={connectionProblem()}
              onClick={() => work.begin("act", sent({ dryRun: true }))}
            >
              Show what would be sent
            </Button>
            <ChangeButton
              label="Perform once"
              of={connection?.target}
              isDisabled={work.isRunning || connectionProblem() !== undefined}
              onConfirm={(confirmed) => work.begin("act", sent({ confirmed }))}
            />
            <ChangeButton
              label={database === undefined ? "Queue and perform" : "Queue for a worker"}
              isDisabled={work.isRunning}
              onConfirm={(confirmed) => work.begin("queue/add", sent({ confirmed }))}
            />
            {connection?.target.isProduction === true && <span class="state bad">production</span>}
          </div>
          <ConnectionProblem />
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
                    In the cache: <State name={change.operation} /> <RecordKey value={change.key} />
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
  const [isOpen, setOpen] = useState(false);
  const canRetry = state === "failed" || state === "dead" || state === "cancelled" || state === "queued";
  return (
    <details class="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
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
      {isOpen && <History key={`${state} ${attempts} ${dueAt}`} id={id} />}
      <h2>Input</h2>
      <Json label="Input" value={input} />
      {result !== null && (
        <>
          <h2>Result</h2>
          <Json label="Result" value={result} />
        </>
      )}
      {note !== null && (
        <p>
          Noted last: {note.stage}
          {note.detail !== null && ", "}
          {note.detail === HIDDEN ? <span class="hidden-value">hidden</span> : note.detail}
        </p>
      )}
    </details>
  );
}

/** The attempts of an action as they came, and what they have asked. */
function History({ id }: { readonly id: number }) {
  const { answer, problem } = useAnswer<ActionAnswer>("action", { id });
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  if (answer === undefined) return <p class="quiet">Loading…</p>;
  const { attempts, calls, callCount } = answer;
  return (
    <>
      <h2>Attempts</h2>
      {attempts.length === 0 && (
        <p class="quiet">
          No attempt is kept: there was none yet, or it was made elsewhere, or the store is sealed.
        </p>
      )}
      <ol class="timeline">
        {attempts.map(({ at, ms, attempts: number, outcome, dueAt, message }) => (
          <li key={at}>
            <State name={outcome} /> attempt {number}, <Ago at={at} />, took {millisecondWords(ms)}
            {message !== null && <div dir="auto">{message}</div>}
            {dueAt !== null && (
              <div class="quiet">
                The next one is due <time dateTime={dueAt}>{dueAt}</time>
              </div>
            )}
          </li>
        ))}
      </ol>
      {callCount > 0 && (
        <>
          <h2>Requests</h2>
          <Calls calls={calls} count={callCount} of="action" />
        </>
      )}
    </>
  );
}
