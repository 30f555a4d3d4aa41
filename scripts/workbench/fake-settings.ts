/** Connection and settings of a fake target system that runs, in place of the test settings of a project. */
import { FACTS_PATH } from "../../runtime/testing/fake-transport.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { FakeFacts } from "../connector-run/run-protocol.js";
import type { OpenSettingsAnswer } from "../test-settings/open-settings.js";
import type { LockedProperties } from "../test-settings/property-lock.js";
import type { RunSettings } from "../test-settings/read-settings.js";

/** The properties of a connection that nobody else changes: no file keeps them. */
export const NOTHING_CHANGED: LockedProperties = Object.freeze({
  properties: {},
  secrets: [],
  release: () => {},
});

const ANSWER_MS = 5_000;

/** What the fake at `address` lets in, or why there is nothing of that. */
export async function fakeSettings(
  address: string,
  { connections }: ConnectorModel,
): Promise<{ readonly settings?: RunSettings; readonly diagnostics: readonly Diagnostic[] }> {
  const refused = (reason: string) => ({
    diagnostics: [diagnostic("fake-unusable", { file: address }, { address, reason })],
  });
  // Nothing of a real connection goes there, and nothing that another machine says is taken for one.
  if (!/^http:\/\/(?:127\.0\.0\.1|localhost):\d+$/.test(address))
    return refused("its address is http://127.0.0.1 with a port");
  try {
    const answer = await fetch(address + FACTS_PATH, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) return refused(`it answers ${answer.status}`);
    const { connection, settings } = (await answer.json()) as Pick<FakeFacts, "connection" | "settings">;
    const definition = connections.find(({ key }) => key === connection.DefinitionKey);
    if (definition === undefined) return refused("it was made of another connector");
    const properties = JSON.parse(connection.Configuration) as Readonly<Record<string, unknown>>;
    return {
      settings: {
        connection: { definition, properties, secrets: [] },
        secrets: [],
        ...settings,
      } as RunSettings,
      diagnostics: [],
    };
  } catch {
    return refused("nothing answers there");
  }
}

/** The same for a run. The fake itself knows its newest token: nothing is kept. */
export async function openFakeSettings(address: string, model: ConnectorModel): Promise<OpenSettingsAnswer> {
  const { settings, diagnostics } = await fakeSettings(address, model);
  if (settings === undefined) return { diagnostics };
  const place = { file: address };
  return {
    opened: {
      ...{ settings, place },
      lockProperties: async () => NOTHING_CHANGED,
      saveProperties: async () => [],
      saveSignIn: async () => [],
      emptyFinding: (name) =>
        diagnostic("fake-unusable", place, { address, reason: `its connection has no ${name}` }),
      close: async () => {},
    },
    diagnostics: [],
  };
}
