/** A program that puts a secret in every sensitive place and then says all that it can; its argument is the secret. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import {
  apiKeyHandler,
  basicHandler,
  clientCredentialsHandler,
  resultOrThrow,
} from "../../../runtime/client/index.js";
import type { ConnectionTestHandler } from "../../../runtime/entries/runtime.js";
import { createLog, sensitiveTypes, startConnector, testConnection } from "../../../runtime/host/index.js";
import { clientAt } from "../loopback.js";
import {
  objectSchema,
  recordClass,
  type SmallClient,
  smallContainer,
  smallRegistration,
} from "../registration.js";

const secret = process.argv[2] ?? "";
const registration = smallRegistration();
const log = createLog({ level: "debug", schemas: sensitiveTypes(registration) });
/** It hides by schemas, names and the look of texts alone: nobody tells it the secret. */
const untold = createLog({ level: "debug", schemas: sensitiveTypes(registration) });
const Site = recordClass(
  "Site",
  objectSchema({
    id: {},
    phone: { type: "string", maxLength: 5, writeOnly: true },
    keys: { items: { writeOnly: true } },
  }),
);

function say(...values: readonly unknown[]): void {
  process.stderr.write(
    `${values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ")}\n`,
  );
}

/** Says an error in all ways, and goes on. */
async function trySaying(step: string, work: () => unknown): Promise<void> {
  say(`step ${step}`);
  try {
    say("done", await work());
  } catch (error) {
    say(error, String(error), JSON.stringify(error), error instanceof Error ? error.message : "");
    log.error(`${step}: ${String(error)}`, { error });
  }
}

await trySaying("settings", () => {
  const services = { "app-1": { actionProcessor: {}, cacheWriter: {} } };
  const connector = startConnector(registration, {
    registrationConfiguration: { Signature: secret },
    services,
    log,
  });
  log.info("started", { connector });
  say(connector.configuration, connector);
});

await trySaying("settings that are wrong", () =>
  startConnector(registration, {
    registrationConfiguration: { Signature: [secret] },
    services: { "app-1": { actionProcessor: { password: secret }, cacheWriter: { PageSize: 0 } } },
    log,
  }),
);

await trySaying("write-only fields", () => {
  const draft = Site.draft({ phone: secret, PHONE: secret, keys: [secret] });
  const raw = { id: 1, phone: secret };
  untold.info("record", { draft, raw, list: [draft], validate: Site.validate(draft) });
  say(draft, `${String(draft)}`, Site.validate(draft));
});

await trySaying("write-only fields where nobody looks for them", () => {
  const inner = { phone: secret, list: [{ PHONE: [secret], phoen: secret, phnoe: { a: secret } }] };
  const wrong = {
    data: [[inner]],
    text: JSON.stringify({ of: JSON.stringify(inner), phone: { a: [secret] } }),
  };
  const printed = inspect(new Map(Object.entries(wrong)), { depth: 9 });
  untold.warn(`${JSON.stringify(wrong)} ${inspect(inner, { depth: 9 })} ${printed}`, { wrong, printed });
  say(Site.draft({ keys: [secret] }), inspect((Site.draft({ keys: [secret] }) as { keys?: unknown }).keys));
});

await trySaying("a record that is refused", () => Site.from({ id: 1, phone: secret, keys: secret }));

await trySaying("headers and tokens", () => {
  const headers = { authorization: `Bearer ${secret}`, "X-Api-Key": secret, Cookie: `session=${secret}` };
  const basic = `Basic ${Buffer.from(`user:${secret}`).toString("base64")}`;
  untold.debug("request", {
    headers,
    fetched: new Headers({ authorization: basic }),
    list: ["Authorization", basic],
  });
  untold.debug(`Authorization: Token api=${secret}`);
  untold.debug("answer", { tokens: { access_token: secret, refreshToken: secret }, id_token: secret });
  untold.debug(`body ${JSON.stringify({ client_secret: secret, password: secret })}`);
});

await trySaying("addresses", () => {
  const encoded = encodeURIComponent(secret);
  untold.debug(`GET https://user:${encoded}@host/?page=1&api_key=${encoded}`);
  untold.debug("called", {
    url: new URL(`https://host/?access_token=${encoded}`),
    form: new URLSearchParams({ password: secret }),
  });
});

const server = createServer((request, response) => {
  const words = `refused ${secret}, sent as ${encodeURIComponent(secret)} and ${request.headers.authorization}`;
  const isJson = request.url?.includes("session_token") === true;
  response.writeHead(
    request.url === "/closed" ? 401 : 500,
    isJson ? { "content-type": "application/json" } : {},
  );
  response.end(isJson ? JSON.stringify({ error: { message: words } }) : words);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const handler: ConnectionTestHandler<SmallClient> = async ({ client, connection, signal }) => {
  const headers = { authorization: `Basic ${Buffer.from(`u:${secret}`).toString("base64")}` };
  const response = await fetch(client.baseUrl, { headers, signal });
  const cause = new Error(await response.text());
  const error = new Error(`${response.status} ${client.baseUrl}?q=${encodeURIComponent(secret)}`, { cause });
  throw Object.assign(error, { statusCode: response.status, options: { headers }, connection });
};

for (const path of ["/closed", "/broken"]) {
  const reached = smallRegistration({ connectionTestHandler: handler });
  const container = smallContainer({ apiKey: secret, url: `${origin}${path}` });
  await trySaying(`connection test ${path}`, () => testConnection(reached, container, { log }));
}

const told = (event: object) => untold.debug("call", { event });
const hooks = { onRequest: told, onResponse: told, onRetry: told, onTokenRefresh: told };
const client = { tokenUrl: `${origin}/token?client_secret=${encodeURIComponent(secret)}`, clientId: "c" };
for (const auth of [
  apiKeyHandler({ key: encodeURIComponent(secret), in: "query", name: "key" }),
  basicHandler({ username: secret, password: secret }),
  clientCredentialsHandler({ ...client, clientSecret: secret }),
]) {
  await trySaying("calls of the API client", async () => {
    const http = clientAt(origin, { auth, hooks, retry: { maxAttempts: 2, firstDelayMs: 1 } });
    const answer = await http.get("items", {
      query: { session_token: secret },
      headers: { cookie: encodeURIComponent(secret) },
    });
    untold.debug(String(answer.errorMessage), { headers: answer.headers });
    resultOrThrow(answer);
  });
}
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));

await trySaying("a connection that is wrong", () =>
  testConnection(registration, smallContainer({ apiKey: [secret], url: 1 })),
);

await trySaying("a connection that is not JSON", () =>
  testConnection(registration, { DefinitionKey: "apiKeyAuth", Configuration: secret }),
);

const failing = smallRegistration({
  clientHelper: () => {
    throw new Error(`no client for ${secret}`);
  },
});
await trySaying("a client helper that fails", () =>
  testConnection(failing, smallContainer({ apiKey: secret })),
);

say("step the end");
await testConnection(failing, smallContainer({ apiKey: secret }));
