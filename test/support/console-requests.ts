/** Raw requests to a console: no browser would send most of these. */
import { type IncomingHttpHeaders, request } from "node:http";
import { TOKEN_HEADER } from "../../scripts/console/request-guard.js";

/** Where a console listens, and what it asks for. */
export interface AskedConsole {
  readonly port: number;
  readonly token: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Reads, as the page does. */
export function call(started: AskedConsole, name: string): Promise<Got> {
  return ask(started, `/api/${name}`, { headers: { [TOKEN_HEADER]: started.token } });
}

/** Changes something, as the page does. */
export function post(started: AskedConsole, name: string, body: object): Promise<Got> {
  const headers = { [TOKEN_HEADER]: started.token, "content-type": "application/json" };
  return ask(started, `/api/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The address is sent as it stands: a URL would be tidied up before. */
export function ask(
  { port }: Pick<AskedConsole, "port">,
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      path,
      method,
      headers: headers as Record<string, string>,
      agent: false,
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.once("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
      response.once("error", reject);
    });
    sent.end(body);
  });
}
