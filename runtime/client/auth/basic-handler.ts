/** Basic authentication (RFC 7617), in UTF-8. */
import { RequestRefused } from "../errors.js";
import { type DelegatingHandler, withHeader } from "../http/messages.js";

export interface BasicOptions {
  readonly username: string;
  readonly password: string;
}

/** Sets the Authorization header. @throws RequestRefused for a user name with a colon: the server would split it. */
export function basicHandler({ username, password }: BasicOptions): DelegatingHandler {
  if (username.includes(":"))
    throw new RequestRefused("The user name has a colon, which Basic authentication forbids.");
  const credentials = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
  return (request, next) => next(withHeader(request, "authorization", `Basic ${credentials}`));
}
