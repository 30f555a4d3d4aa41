/** A fake target system, and what stands behind it: for what looks at more than its answers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RecordType } from "../records/record-type.js";
import type { ConnectionContainer } from "../registration/connection-contracts.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import { type Answering, createAnswering } from "./answering.js";
import { createFakeConnection, type FakeConnection } from "./fake-connection.js";
import type { FakeOptions, FakeRequest, FakeTarget } from "./fake-options.js";
import { type FakeRecord, type GenerateValue, loadGenerator } from "./fake-records.js";
import { fakeServices } from "./fake-settings.js";
import { transportTo } from "./fake-transport.js";
import { createFaults } from "./faults.js";
import { createHeldObjects, type HeldObject } from "./held-objects.js";
import type { FakeLists } from "./list-answers.js";
import { createRateWindow } from "./rate-window.js";
import {
  createObjects,
  createRoutes,
  declaredActions,
  type ListSource,
  listedObjects,
  notesOf,
  type OnList,
} from "./routes.js";
import { startTokenProvider, type TokenProvider } from "./token-provider.js";

const RECORDS = 1_000;
const TOKEN_LIFE_SECONDS = 3_600;

/** A fake target system, and what stands behind its answers. */
export interface WatchedFake {
  readonly fake: FakeTarget;
  /** Everything that it holds. */
  readonly held: ReadonlyMap<RecordType, HeldObject>;
  /** Every list that it answers. */
  readonly sources: readonly ListSource[];
  /** The type of the records that a reader reads; undefined if nobody knows. */
  readonly typeOfReader: FakeLists["typeOfReader"];
  readonly generate: GenerateValue;
  /** What every call has to bring; empty if nobody knows. */
  readonly credentials: FakeConnection["credentials"];
  /** Whether it grants access tokens. */
  readonly hasTokens: boolean;
  /** The same connection with other secrets, which it does not let in; undefined if the connection has none. */
  readonly strange: ConnectionContainer | undefined;
}

/** What a fake is watched by. */
export interface FakeWatch {
  /** Hears of what is asked of lists. */
  readonly onList?: OnList;
  /** How many records an object has, in place of `records`. */
  readonly countOf?: (type: RecordType) => number;
  /** What makes values, if it was loaded before. */
  readonly generate?: GenerateValue;
}

/** As `startFake`, for who looks behind it. */
export async function startWatchedFake(
  connector: ConnectorRegistration,
  options: FakeOptions,
  { onList, countOf, generate: loaded }: FakeWatch = {},
): Promise<WatchedFake> {
  const { seed = 1, now = Date.now, port = 0, lists = {}, records = RECORDS } = options;
  const generate = loaded ?? (await loadGenerator());
  const { objects, sources, typeOfReader } = listedObjects(connector, lists);
  const held = createHeldObjects({
    ...{ objects, typeOfReader, generate, seed, now },
    countOf: countOf ?? (({ name }) => (typeof records === "object" ? (records[name] ?? RECORDS) : records)),
    valuesOf: ({ name }) => options.values?.[name],
  });
  let answer: Answering | undefined;
  const server = createServer((request, response) => {
    // A request that breaks off, or that nobody can read, ends by itself.
    answer?.(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let tokens: TokenProvider | undefined;
  const close = async () => {
    tokens?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    const connection = await createFakeConnection({
      ...{ registration: connector, origin, generate, seed },
      definitionKey: options.connection,
      properties: (options.properties ?? {}) as FakeRecord,
      registrationConfiguration: options.registrationConfiguration,
    });
    const { tokenClient } = connection;
    if (tokenClient !== undefined) {
      const { tokenLifeSeconds = TOKEN_LIFE_SECONDS } = options;
      tokens = await startTokenProvider({ ...tokenClient, lifeSeconds: tokenLifeSeconds });
    }
    const settings = {
      registrationConfiguration: connection.registrationConfiguration,
      services: fakeServices(connector, { generate, seed }),
    };
    const faults = createFaults(options.faults ?? [], seed);
    const requests: FakeRequest[] = [];
    const objectOf = createObjects(connector, held);
    const actions = declaredActions(connector, { held, typeOfReader, generate, seed });
    const routes = createRoutes({
      sources,
      actions,
      held,
      typeOfReader,
      connection,
      options,
      objectOf,
      onList,
    });
    let number = 0;
    const currentConnection = () => withNewestToken(connection.container, tokens?.newestRefreshToken());
    answer = createAnswering({
      ...{ routes, connection, tokens, faults, requests, seed, now },
      rate: options.rate === undefined ? undefined : createRateWindow(options.rate, now),
      nextNumber: () => ++number,
      onRequest: options.onRequest,
      facts: () => ({ connection: currentConnection(), settings }),
    });
    const fake: FakeTarget = {
      ...{ origin, requests, objectOf, close },
      get connection() {
        return currentConnection();
      },
      settings,
      calls: [...new Set(routes.map(({ method, path }) => `${method} ${path}`))],
      transport: transportTo(origin),
      strike: faults.add,
      calm: faults.clear,
      nextNumber: () => number + 1,
      notes: () => [
        ...connection.notes,
        ...notesOf(connector, sources),
        ...[...held.values()].flatMap(({ leftOut }) =>
          leftOut().map((text) => `${text} can't be made: it is left out.`),
        ),
      ],
    };
    const { credentials, strange } = connection;
    return {
      ...{ fake, held, sources, typeOfReader, generate, credentials, strange },
      hasTokens: tokens !== undefined,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A connection whose refresh token was used holds the one that came in its place. */
function withNewestToken(container: ConnectionContainer, token: string | undefined): ConnectionContainer {
  const properties = JSON.parse(container.Configuration) as FakeRecord;
  if (token === undefined || typeof properties["refreshToken"] !== "string") return container;
  return { ...container, Configuration: JSON.stringify({ ...properties, refreshToken: token }) };
}
