/** A way to a server that can be cut. */
import { connect, createServer, type Server, type Socket } from "node:net";

export interface DroppingProxy {
  /** The address of the server by this way. */
  readonly url: string;
  /** Ends all connections in the middle of whatever they do. */
  drop(): void;
  close(): void;
}

/** @param target Address of a database. */
export async function droppingProxy(target: string): Promise<DroppingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server: Server = createServer((from) => {
    const to = connect(Number(port), hostname);
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          from.destroy();
          to.destroy();
        });
    }
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : 0);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    ...{ url: url.href, drop },
    close: () => {
      server.close();
      drop();
    },
  };
}
