/** The way of each call: straight to its server, or through a proxy, whose connections calls share. */
import type { Agent } from "node:http";
import type { Environment } from "./environment.js";
import { type ProxyRoute, proxyFor } from "./proxies.js";
import type { ProxyAgentOptions } from "./proxy-agents.js";

/** How connections through proxies are made. */
interface ProxyRoutesOptions extends Omit<ProxyAgentOptions, "isTunnel"> {
  readonly environment: Environment;
}

/** Finds the way of each call; undefined is the direct one. Calls through the same proxy share its connections. */
export function createProxyRoutes({ environment, ...limits }: ProxyRoutesOptions) {
  const agents = new Map<string, Agent>();
  return async (address: string): Promise<ProxyRoute | undefined> => {
    const url = new URL(address);
    const proxy = proxyFor(url, environment);
    if (proxy === undefined) return undefined;
    const isTunnel = url.protocol === "https:";
    const key = `${isTunnel} ${proxy.url.href} ${proxy.authorization}`;
    // Few connectors have a proxy: the others do without the code for it.
    const { createProxyAgent } = await import("./proxy-agents.js");
    const agent = agents.get(key) ?? createProxyAgent(proxy, { ...limits, isTunnel });
    agents.set(key, agent);
    return { proxy, agent, isTunnel };
  };
}
