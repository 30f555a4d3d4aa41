/**
 * A process of its own that is a target system over HTTP, of any size in little memory: `node http-target.js`, told by
 * messages which state it is in. It answers each with its port.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { itemOf, type State } from "../fake-target.js";

const PAGE = 1_000;
let state: State = { total: 0, changed: false, deleted: false };

const server = createServer((request, response) => {
  const after = Number(new URL(request.url ?? "/", "http://localhost").searchParams.get("after") ?? -1);
  const items: object[] = [];
  let index = after + 1;
  for (; index < state.total && items.length < PAGE; index++) {
    const item = itemOf(index, state);
    if (item !== undefined) items.push(item);
  }
  const next = index < state.total ? index - 1 : null;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ items, next }));
});
server.listen(0, "127.0.0.1");
process.on("message", (message: State) => {
  state = message;
  const tell = () => process.send?.((server.address() as AddressInfo).port);
  if (server.listening) tell();
  else server.once("listening", tell);
});
process.once("disconnect", () => process.exit());
