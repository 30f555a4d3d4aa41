import { useState } from "preact/hooks";
import { Ago, Count, Empty, Heading, Problem, State, Wide } from "../parts/basics.jsx";
import { ChangeButton, useWork, WorkPanel } from "../parts/run.jsx";
import { useChange } from "../parts/use-change.js";
import type { ObjectSummary } from "../shapes.js";
import { hrefOf, overview } from "../state.js";

/** What was read of each data object, the ones that wait for a decision first. */
export function OverviewPage() {
  const work = useWork();
  const { objects, modules = [], storeFile, database, connection } = overview.value ?? {};
  const waiting = objects?.filter(needsApproval) ?? [];
  const others = objects?.filter((object) => !needsApproval(object)) ?? [];
  const sync =
    (object: ObjectSummary | undefined, approveDeletes: boolean) => (confirmed: string | undefined) =>
      work.begin("sync", { object: object?.dataPath, approveDeletes, confirmed });
  return (
    <>
      <Heading title="Overview" command="connectorcli runs list">
        {database === undefined ? (
          <ChangeButton
            label="Read all into the cache"
            isDisabled={work.isRunning}
            onConfirm={sync(undefined, false)}
          />
        ) : (
          <a href={hrefOf("schedules")}>Read now, or see when workers do</a>
        )}
      </Heading>
      <WorkPanel work={work} />
      {waiting.map((object) => (
        <Approval key={object.dataPath} object={object} onConfirm={sync(object, true)} />
      ))}
      {modules.every(({ objects }) => objects.length === 0) ? (
        <Empty>
          The connector has no data objects yet. <code>npx connectorcli data-object new</code> makes one.
        </Empty>
      ) : objects === undefined && database !== undefined ? (
        <Empty>
          The database has no workspaces yet. <code>npx connectorcli workspace add</code> adds one.
        </Empty>
      ) : objects === undefined ? (
        <Empty>
          Nothing was read into the cache yet. <code>npx connectorcli run cache-writer</code> does it, or{" "}
          <a href={hrefOf("try")}>try a page</a> first, without a store.
        </Empty>
      ) : (
        <Wide label="Data objects">
          <table class="list">
            <caption class="hidden">Data objects and their last runs</caption>
            <thead>
              <tr>
                <th scope="col">Data object</th>
                <th scope="col">Last run</th>
                <th scope="col" class="number">
                  Records
                </th>
                <th scope="col" class="number">
                  Inserted
                </th>
                <th scope="col" class="number">
                  Updated
                </th>
                <th scope="col" class="number">
                  Deleted
                </th>
                <th scope="col" class="number">
                  Unchanged
                </th>
                <th scope="col" class="number">
                  Rejected
                </th>
                <th scope="col">Next read goes on from</th>
              </tr>
            </thead>
            <tbody>
              {[...waiting, ...others].map((object) => (
                <ObjectRow key={object.dataPath} object={object} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <p class="quiet small">
        {database === undefined ? (
          <>
            Store: <code>{storeFile}</code>.{" "}
          </>
        ) : (
          <>
            Database: <code>{database.name}</code>.{" "}
          </>
        )}
        Connection: {connection?.title || "none"}
        {connection?.isFake ? ", a fake target system" : ""}.
      </p>
    </>
  );
}

/** Asks for the decision over deletes: this machine reads again, or a worker does. */
function Approval({
  object: { dataPath, title, lastRun },
  onConfirm,
}: {
  readonly object: ObjectSummary;
  readonly onConfirm: (confirmed: string | undefined) => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const { problem, change } = useChange(() => setAsked(true));
  const askWorkers = (confirmed: string | undefined) =>
    change("schedule/run", { object: dataPath, approveDeletes: true, confirmed });
  return (
    <section class="notice warn" aria-label={`${title} needs approval`}>
      <h2>{title} needs approval</h2>
      <p>{lastRun?.message}</p>
      <p>
        Look at what the target system has before you approve: approved deletes are made in the cache at once.
      </p>
      {isAsked ? (
        <p role="status">A worker reads it again as soon as one is free.</p>
      ) : (
        <ChangeButton
          label="Read again and approve the deletes"
          onConfirm={overview.value?.database === undefined ? onConfirm : askWorkers}
        />
      )}
      {problem !== undefined && <Problem>{problem}</Problem>}
    </section>
  );
}

function needsApproval({ lastRun }: ObjectSummary): boolean {
  return lastRun?.state === "needs-approval";
}

function ObjectRow({ object }: { readonly object: ObjectSummary }) {
  const { dataPath, title, lastRun, records, rejected, readerType, checkpoint } = object;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf("records", { object: dataPath })} dir="auto">
          {title}
        </a>
        <div class="quiet small" dir="ltr">
          {dataPath}
        </div>
      </th>
      <td>
        {lastRun === undefined ? (
          <span class="quiet">never</span>
        ) : (
          <>
            <State name={lastRun.state} /> <Ago at={lastRun.startedAt} />
          </>
        )}
      </td>
      <td class="number">
        <Count value={records} />
      </td>
      {(["inserted", "updated", "deleted", "unchanged"] as const).map((name) => (
        <td key={name} class="number">
          {lastRun === undefined ? "" : <Count value={lastRun[name]} />}
        </td>
      ))}
      <td class="number">
        {rejected === 0 ? (
          <Count value={0} />
        ) : (
          <a href={hrefOf("rejected", { object: dataPath })}>
            <Count value={rejected} />
          </a>
        )}
      </td>
      <td class="quiet" dir="auto">
        {readerType === "full" ? "the beginning: it reads all" : (checkpoint ?? "the beginning")}
      </td>
    </tr>
  );
}
