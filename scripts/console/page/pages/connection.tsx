import { Button, Diagnostics, Empty, Heading } from "../parts/basics.jsx";
import { ChangeButton, useWork, WorkPanel } from "../parts/run.jsx";
import type { ShownConnection } from "../shapes.js";
import { hrefOf, overview } from "../state.js";

/** Which connection runs use, without any of its values, and whether it works; a user signs in to it. */
export function ConnectionPage() {
  const work = useWork();
  const { connection, database } = overview.value ?? {};
  const result = work.ended?.result;
  const canSignIn = connection?.authType === "OAuth2CodeFlow" && !connection.isFake;
  const tools = (
    <>
      <Button isDisabled={work.isRunning} onClick={() => work.begin("connection", {})}>
        Test the connection
      </Button>
      {canSignIn && (
        <ChangeButton
          label="Sign in"
          of={connection}
          isDisabled={work.isRunning}
          onConfirm={(confirmed) => work.begin("connection/sign-in", { confirmed })}
        />
      )}
    </>
  );
  return (
    <>
      <Heading title="Connection" command={commandFor(canSignIn)}>
        {database === undefined && tools}
      </Heading>
      {database !== undefined && (
        <>
          <OfWorkspace />
          <h2>
            On this machine, for <a href={hrefOf("try")}>trying a page</a>
          </h2>
          <div class="tools">{tools}</div>
        </>
      )}
      <WorkPanel work={work}>
        {result !== undefined && (
          <p class={result.success ? "notice good" : "notice bad"} role="status" dir="auto">
            {result.success ? "The connection works." : "The connection does not work: "}
            {result.success ? "" : result.message}
          </p>
        )}
      </WorkPanel>
      <Diagnostics list={connection?.diagnostics ?? []} />
      {connection === undefined || connection.key === undefined ? (
        <Empty>
          There is no connection yet. <code>npx connectorcli test init</code> writes the file that it stands
          in.
        </Empty>
      ) : (
        <>
          <dl class="facts">
            <dt>Definition</dt>
            <dd dir="auto">
              {connection.title} (<code>{connection.key}</code>)
            </dd>
            <dt>Signs in with</dt>
            <dd>{connection.authType}</dd>
            <dt>Target system</dt>
            <dd>
              {connection.isFake
                ? "a fake one, on this machine"
                : connection.isProduction
                  ? "production"
                  : "not marked as production"}
            </dd>
          </dl>
          <Properties list={connection.properties} place="test-settings.json" />
        </>
      )}
    </>
  );
}

function commandFor(canSignIn: boolean): string {
  return `connectorcli test connection${canSignIn ? " [--sign-in]" : ""}`;
}

/** What workers connect the workspace with. */
function OfWorkspace() {
  const { workspace } = overview.value?.database ?? {};
  if (workspace === undefined)
    return (
      <Empty>
        The database has no workspaces yet. <code>npx connectorcli workspace add</code> adds one.
      </Empty>
    );
  const { name, connection, title, environment, isServed, isProduction, settings } = workspace;
  return (
    <section aria-label="The workspace">
      <h2 dir="auto">Workspace {name}</h2>
      <dl class="facts">
        <dt>Definition</dt>
        <dd dir="auto">
          {connection === null ? (
            <span class="quiet">none yet</span>
          ) : (
            <>
              {title} (<code>{connection}</code>)
            </>
          )}
        </dd>
        <dt>Target system</dt>
        <dd>{isProduction ? "production" : (environment?.toLowerCase() ?? "not marked as production")}</dd>
        <dt>Settings</dt>
        <dd>
          {!isServed
            ? "not set: no worker serves it"
            : settings === undefined
              ? "set and sealed: the console was started without their key"
              : "set"}
        </dd>
        {settings !== undefined && settings.configured.length > 0 && (
          <>
            <dt>Configured</dt>
            <dd>
              {settings.configured.map((place) => (
                <div key={place} dir="auto">
                  {place}
                </div>
              ))}
            </dd>
          </>
        )}
      </dl>
      {settings !== undefined && (
        <Properties list={settings.properties} place="the sealed settings of the workspace" />
      )}
      <p class="quiet small">
        <code>npx connectorcli workspace set --settings</code> gives it other settings.
      </p>
    </section>
  );
}

function Properties({
  list,
  place,
}: {
  readonly list: ShownConnection["properties"];
  readonly place: string;
}) {
  return (
    <table class="list">
      <caption>Properties: which have a value. Values stay in {place}.</caption>
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {list.map(({ name, title, isSensitive, isSet }) => (
          <tr key={name}>
            <th scope="row" dir="auto">
              {title || name}
            </th>
            <td>
              {isSet ? "set" : <span class="quiet">not set</span>}{" "}
              {isSensitive && <span class="badge">secret</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
