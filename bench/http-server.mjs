/** The API that bench/http.mjs calls, in a process of its own: a page of JSON for every path. */
import { createServer } from "node:http";

const page = JSON.stringify({
  items: Array.from({ length: 20 }, (_, index) => ({ id: index, name: `Project ${index}`, isOpen: true })),
});
const server = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", "application/json");
  response.end(page);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.once("disconnect", () => process.exit());
