/** Which proxy a call goes through, as the host's environment names it, and what can go wrong there. */
import type { Agent } from "node:http";
import { BlockList, isIP } from "node:net";
import { networkFault } from "../retry.js";
import { decodedPart, errorChain, safeGet } from "../untrusted.js";
import type { Environment } from "./environment.js";
import { isOwnMachine } from "./token-endpoint.js";

/** A proxy, and the variable that names it. */
export interface ProxyServer {
  readonly variable: string;
  /** Without user and password. */
  readonly url: URL;
  /** The value of the header `Proxy-Authorization`; undefined without user and password. */
  readonly authorization: string | undefined;
}

/** A call did not get through its proxy. Neither user nor password is in it. */
export class ProxyFault extends Error {
  constructor(
    readonly code: string,
    /** What went wrong, in words. */
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** The fault if a proxy can't be connected to; `code` is the system's, or undefined if the proxy said no more. */
export function unreachableFault(proxy: ProxyServer, code: unknown): ProxyFault {
  const known = typeof code === "string" ? code : "ECONNRESET";
  const reason = networkFault(known)?.reason ?? "its answer could not be processed";
  return new ProxyFault(known, `${nameOf(proxy)} can't be reached: ${reason}`);
}

/** The fault if connecting through a proxy takes too long. */
export function overdueFault(proxy: ProxyServer): ProxyFault {
  return new ProxyFault("ETIMEDOUT", `connecting through ${nameOf(proxy)} took too long`);
}

/** The fault if a proxy answers by itself in place of the server. */
export function refusalFault(proxy: ProxyServer, status: number): ProxyFault {
  const name = nameOf(proxy);
  if (status !== 407) {
    const isPassing = status === 408 || status === 429 || status >= 500;
    const code = isPassing ? "ERR_PROXY_UNAVAILABLE" : "ERR_PROXY_REFUSED";
    return new ProxyFault(code, `${name} gives no way to the server: it answered CONNECT with ${status}`);
  }
  const what =
    proxy.authorization === undefined
      ? `asks for a user and a password (407): write ${proxy.variable}=http://user:password@host:port`
      : `refuses the user and the password in ${proxy.variable} (407)`;
  return new ProxyFault("ERR_PROXY_AUTHENTICATION", `${name} ${what}`);
}

function nameOf({ variable, url }: ProxyServer): string {
  return `the proxy ${url.origin} of ${variable}`;
}

/**
 * The proxy for calls of `url`. Returns undefined for the own machine, for what `NO_PROXY` lists, and if no variable
 * names one.
 * @throws ProxyFault if the variable has no address of an HTTP proxy; the value may hold a password, and is not in it.
 */
export function proxyFor(url: URL, environment: Environment): ProxyServer | undefined {
  const named = firstSet(environment, [`${url.protocol.slice(0, -1)}_proxy`, "all_proxy"]);
  if (named === undefined || isDirect(url, environment)) return undefined;
  const [variable, value] = named;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol))
    throw new ProxyFault(
      "ERR_PROXY_INVALID",
      `${variable} is no address of an HTTP proxy, such as http://host:3128`,
    );
  const { username, password } = proxy;
  const authorization =
    username === "" && password === ""
      ? undefined
      : basic(`${decodedPart(username)}:${decodedPart(password)}`);
  return { variable, url: new URL(proxy.origin), authorization };
}

/** Name and value of the first variable that is not empty, in lower or upper case. */
function firstSet(environment: Environment, names: readonly string[]): readonly [string, string] | undefined {
  for (const name of names.flatMap((lower) => [lower, lower.toUpperCase()])) {
    const value = environment[name]?.trim() ?? "";
    if (value !== "") return [name, value];
  }
  return undefined;
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

function isDirect(url: URL, environment: Environment): boolean {
  if (isOwnMachine(url)) return true;
  const [, list = ""] = firstSet(environment, ["no_proxy"]) ?? [];
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = url.port === "" ? { "http:": "80", "https:": "443" }[url.protocol] : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => isListed(entry, host, port));
}

/** Whether `entry` of `NO_PROXY` means the host: `*`, a name with all below it, an address or a range, each with a port. */
function isListed(entry: string, host: string, port: string | undefined): boolean {
  if (entry === "*") return true;
  const [, bracketed, name = entry, ownPort] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  if (ownPort !== undefined && ownPort !== port) return false;
  const listed = bracketed ?? name;
  if (isIP(host) !== 0) return isInRange(host, listed);
  const parent = listed.replace(/^\*?\./, "").replace(/\.$/, "");
  return parent !== "" && `.${host}`.endsWith(`.${parent}`);
}

/** Whether the address is the one that is listed, or in the range of it, such as `10.0.0.0/8`. */
function isInRange(address: string, listed: string): boolean {
  const [first = "", length] = listed.split("/");
  const version = isIP(first);
  if (version === 0 || version !== isIP(address)) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const bits = version === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (!(Number.isInteger(prefix) && prefix >= 0 && prefix <= bits)) return false;
  const range = new BlockList();
  range.addSubnet(first, prefix, family);
  return range.check(address, family);
}

/** The way of a call through a proxy. */
export interface ProxyRoute {
  readonly proxy: ProxyServer;
  readonly agent: Agent;
  /** Whether the call goes through a tunnel, as those over TLS do; the proxy makes the others itself. */
  readonly isTunnel: boolean;
}

/** The fault of the proxy that `error` was made of, or the one that it shows: connecting means the proxy on a relay. */
export function proxyFaultOf(error: unknown, route: ProxyRoute | undefined): ProxyFault | undefined {
  const isRelay = route?.isTunnel === false;
  for (const cause of errorChain(error)) {
    if (cause instanceof ProxyFault) return cause;
    const step = safeGet(cause, "syscall");
    if (isRelay && (step === "connect" || step === "getaddrinfo"))
      return unreachableFault(route.proxy, safeGet(cause, "code"));
  }
  return undefined;
}
