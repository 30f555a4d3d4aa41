import { Button, Diagnostics, Empty, Heading } from "../parts/basics.jsx";
import { ConnectionProblem, connectionProblem } from "../parts/connection-problem.jsx";
import { ChangeButton, useWork, WorkPanel } from "../parts/run.jsx";
import type { ShownConnection } from "../shapes.js";
import { overview } from "../state.js";

/** Which connection is used, without any of its values, and whether it works; a user signs in to it. */
export function ConnectionPage() {
  const work = useWork();
  const { connection, database } = overview.value ?? {};
  const result = work.ended?.result;
  const canSignIn = connection?.authType === "OAuth2CodeFlow" && !connection.isFake;
  const isDisabled = work.isRunning || connectionProblem() !== undefined;
  return (
    <>
      <Heading title="Connection" command={`connectorcli test connection${canSignIn ? " [--sign-in]" : ""}`}>
        <Button
          isDisabled={isDisabled}
          title={connectionProblem()}
          onClick={() => work.begin("connection", {})}
        >
          Test the connection
        </Button>
        {canSignIn && (
          <ChangeButton
            label="Sign in"
            of={connection.target}
            isDisabled={isDisabled}
            onConfirm={(confirmed) => work.begin("connection/sign-in", { confirmed })}
          />
        )}
      </Heading>
      <ConnectionProblem />
      <WorkPanel work={work}>
        {result !== undefined && (
          <p class={result.success ? "notice good" : "notice bad"} role="status" dir="auto">
            {result.success ? "The connection works." : "The connection does not work: "}
            {result.success ? "" : result.message}
          </p>
        )}
      </WorkPanel>
      <Diagnostics list={connection?.diagnostics ?? []} />
      {connection?.key === undefined ? (
        database === undefined && (
          <Empty>
            There is no connection yet. <code>npx connectorcli test init</code> writes the file that it stands
            in.
          </Empty>
        )
      ) : (
        <>
          <Facts connection={connection} />
          {connectionProblem() === undefined && (
            <Properties list={connection.properties} place={placeOf(connection)} />
          )}
        </>
      )}
      {database?.workspace !== undefined && connection?.isFake === false && (
        <p class="quiet small">
          <code>npx connectorcli workspace set --settings</code> gives the workspace other settings.
        </p>
      )}
    </>
  );
}

function placeOf({ isFake }: ShownConnection): string {
  if (isFake) return "the fake target system";
  return overview.value?.database === undefined
    ? "test-settings.json"
    : "the sealed settings of the workspace";
}

function Facts({ connection }: { readonly connection: ShownConnection }) {
  const { key, title, authType, isFake, target } = connection;
  const { workspace } = overview.value?.database ?? {};
  const configured = isFake ? [] : (workspace?.configured ?? []);
  return (
    <dl class="facts">
      {workspace !== undefined && (
        <>
          <dt>Workspace</dt>
          <dd dir="auto">{workspace.name}</dd>
        </>
      )}
      <dt>Definition</dt>
      <dd dir="auto">
        {title} (<code>{key}</code>)
      </dd>
      <dt>Signs in with</dt>
      <dd>{authType}</dd>
      <dt>Target system</dt>
      <dd>
        {isFake
          ? "a fake one, on this machine"
          : target.isProduction
            ? "production"
            : "not marked as production"}
      </dd>
      {configured.length > 0 && (
        <>
          <dt>Configured</dt>
          <dd>
            {configured.map((place) => (
              <div key={place} dir="auto">
                {place}
              </div>
            ))}
          </dd>
        </>
      )}
    </dl>
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
