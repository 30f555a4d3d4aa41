import { Diagnostics, Empty, Heading } from "../parts/basics.jsx";
import { useWork, WorkPanel } from "../parts/run.jsx";
import { overview } from "../state.js";

/** Which connection runs use, without any of its values, and whether it works. */
export function ConnectionPage() {
  const work = useWork();
  const connection = overview.value?.connection;
  const result = work.ended?.result;
  return (
    <>
      <Heading title="Connection" command="connectorcli test connection">
        <button type="button" disabled={work.isRunning} onClick={() => work.begin("connection", {})}>
          Test the connection
        </button>
      </Heading>
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
          <table class="list">
            <caption>Properties: which have a value. Values stay in test-settings.json.</caption>
            <thead>
              <tr>
                <th scope="col">Property</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              {connection.properties.map(({ name, title, isSensitive, isSet }) => (
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
        </>
      )}
    </>
  );
}
