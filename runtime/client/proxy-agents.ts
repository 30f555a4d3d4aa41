/** Connections through a proxy: a tunnel for https, the proxy's own requests for http; each within a time limit. */
import { Agent, type AgentOptions, type ClientRequest, type RequestOptions } from "node:http";
import net, { isIP, type Socket } from "node:net";
import tls, { checkServerIdentity } from "node:tls";
import { HttpsProxyAgent } from "https-proxy-agent";
import { safeGet } from "../untrusted.js";
import { overdueFault, type ProxyServer, refusalFault, unreachableFault } from "./proxies.js";

/** How connections through a proxy are made. */
export interface ProxyAgentOptions {
  /** Milliseconds for reaching the proxy, its answer to CONNECT and the TLS handshake with the server. */
  readonly connectMs: number;
  readonly maxSockets: number;
  /** Whether servers are spoken to over TLS, which the proxy does not look into. */
  readonly isTunnel: boolean;
}

/** An agent whose requests go through the proxy. They fail with a ProxyFault if it gives no way to the server. */
export function createProxyAgent(proxy: ProxyServer, options: ProxyAgentOptions): Agent {
  const { connectMs, maxSockets, isTunnel } = options;
  const agentOptions = { keepAlive: true, maxSockets };
  return isTunnel ? new TunnelAgent(proxy, connectMs, agentOptions) : new RelayAgent(proxy, agentOptions);
}

type TunnelOptions = Parameters<HttpsProxyAgent<string>["connect"]>[1];

/** Has the proxy connect to servers, and speaks to them over TLS, which the proxy does not look into. */
class TunnelAgent extends HttpsProxyAgent<string> {
  constructor(
    private readonly way: ProxyServer,
    private readonly connectMs: number,
    agentOptions: AgentOptions,
  ) {
    super(way.url, agentOptions);
  }

  override connect(request: ClientRequest, options: TunnelOptions): Promise<Socket> {
    const { way } = this;
    return connectWithin(this.connectMs, way, async (signal) => {
      // One for each connection: only what it is made with reaches its socket.
      const agent = new HttpsProxyAgent<string>(way.url, tunnelOptions(way, signal));
      let status = 0;
      agent.once("proxyConnect", (answer: { readonly statusCode: number }) => {
        status = answer.statusCode;
      });
      const socket = await agent.connect(request, withIdentity(options)).catch((error: unknown) => {
        throw unreachableFault(way, safeGet(error, "code"));
      });
      if (status === 200) return established(socket);
      socket.destroy();
      throw refusalFault(way, status);
    });
  }
}

/** User and password go as a header: the library shows its address when it is debugged. */
function tunnelOptions({ authorization }: ProxyServer, signal: AbortSignal): AgentOptions {
  const headers = authorization === undefined ? {} : { "Proxy-Authorization": authorization };
  return { keepAlive: true, signal, headers } as AgentOptions;
}

/** The method that an agent is, which Node's types leave out. */
const { addRequest } = Agent.prototype as unknown as {
  addRequest(this: Agent, request: ClientRequest, options: RequestOptions): void;
};

/** Sends requests to the proxy itself, with the whole address of what they are for. */
class RelayAgent extends Agent {
  constructor(
    private readonly way: ProxyServer,
    agentOptions: AgentOptions,
  ) {
    super(agentOptions);
  }

  /** Node calls this for every request, before there is anything of it to send. */
  addRequest(request: ClientRequest, options: RequestOptions): void {
    const { authorization } = this.way;
    const host = isIP(options.host ?? "") === 6 ? `[${options.host}]` : options.host;
    request.path = new URL(`http://${host}:${options.port}`).origin + request.path;
    if (authorization !== undefined) request.setHeader("proxy-authorization", authorization);
    addRequest.call(this, request, options);
  }

  override createConnection(): Socket {
    const { protocol, hostname, port } = this.way.url;
    const host = hostname.replace(/^\[|\]$/g, "");
    if (protocol === "http:") return net.connect({ host, port: Number(port || 80) });
    const servername = isIP(host) === 0 ? { servername: host } : {};
    return tls.connect({ host, port: Number(port || 443), ...servername });
  }
}

/** Calls `connect`, whose signal closes the connection when the time is over. @throws ProxyFault then. */
async function connectWithin(
  milliseconds: number,
  proxy: ProxyServer,
  connect: (signal: AbortSignal) => Promise<Socket>,
): Promise<Socket> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await connect(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? overdueFault(proxy) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** The library leaves the name of a server out that is an IP address, and would look for `localhost` in its certificate. */
function withIdentity(options: TunnelOptions): TunnelOptions {
  const { host } = options;
  if (host === undefined || host === null || isIP(host) === 0) return options;
  return {
    ...options,
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
  } as TunnelOptions;
}

/** The connection when TLS is agreed on. @throws the error of the handshake. */
function established(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    const brokenOff = Object.assign(new Error("the connection broke off"), { code: "ECONNRESET" });
    socket.once("close", () => reject(brokenOff));
    socket.once("secureConnect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
