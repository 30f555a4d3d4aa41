/** What every request to a token endpoint keeps to, whoever makes it: the client's tokens and the user's sign-in. */
import * as oauth from "oauth4webapi";

/** The address, if secrets can be sent there: https, or http on the own machine. Returns undefined for any other. */
export function secureUrl(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "https:") return url;
  return url?.protocol === "http:" && isOwnMachine(url) ? url : undefined;
}

/** Whether the address is of this machine. */
export function isOwnMachine({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** How a client says who it is; without a secret it is a public one. */
export function clientAuthentication(
  clientSecret: string | undefined,
  place: string | undefined,
): oauth.ClientAuth {
  if (clientSecret === undefined || clientSecret === "") return oauth.None();
  return place === "body" ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
}

/** A token response without its identity token, which is of no use here and can't be judged without the provider's keys. */
export function withoutIdToken(body: string): string {
  try {
    const { id_token: _, ...rest } = JSON.parse(body);
    return JSON.stringify(rest);
  } catch {
    return body;
  }
}
