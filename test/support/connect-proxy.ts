/** A real HTTP proxy on loopback, which leads every host to this machine: only through it is there a `target.test`. */
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ConnectProxy {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** What it was asked for: `CONNECT target.test:443`, or `GET http://target.test/x`. */
  readonly asked: readonly string[];
  /** Headers of what it was asked for, in the same order. */
  readonly headers: readonly IncomingMessage["headers"][];
}

export interface ConnectProxyOptions {
  /** `user:password` that has to be shown. */
  readonly credentials?: string;
  /** Answered in place of every tunnel. */
  readonly refusal?: number;
  /** Whether it accepts connections and says nothing. */
  readonly isSilent?: boolean;
}

const open = new Set<() => Promise<void>>();

export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const sockets = new Set<Socket>();
  const statusOf = (message: IncomingMessage): number => {
    asked.push(`${message.method} ${message.url}`);
    headers.push(message.headers);
    const { credentials, refusal } = options;
    const shown = `Basic ${Buffer.from(credentials ?? "").toString("base64")}`;
    if (credentials !== undefined && message.headers["proxy-authorization"] !== shown) return 407;
    return refusal ?? 200;
  };
  const server = createServer((message, response) => {
    const status = statusOf(message);
    if (options.isSilent === true) return;
    if (status !== 200) return void response.writeHead(status).end("a page of the proxy");
    const { port, pathname, search } = new URL(message.url ?? "");
    const { method, headers } = message;
    const onward = request(
      { host: "127.0.0.1", port, path: pathname + search, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    message.pipe(onward);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.on("connect", (message, socket) => {
    const status = statusOf(message);
    if (options.isSilent === true) return;
    if (status !== 200)
      return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 19\r\n\r\na page of the proxy`);
    const onward = connect(Number(message.url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    sockets.add(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    open.delete(close);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  open.add(close);
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked, headers };
}

/** For `afterEach`. */
export async function closeProxies(): Promise<void> {
  await Promise.all([...open].map((close) => close()));
}
