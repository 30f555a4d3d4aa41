/** Authentication by a header of the author's choice (spec §5.1). */
import { type DelegatingHandler, withHeader, withoutHeaders } from "../http/messages.js";

export interface HeaderOptions {
  readonly name: string;
  /** Called for each call. */
  value(): string | Promise<string>;
  /** Other headers that must not go along. */
  readonly remove?: readonly string[] | undefined;
}

/** Sets the header, in place of any that the call has under the name. */
export function headerHandler({ name, value, remove = [] }: HeaderOptions): DelegatingHandler {
  return async (request, next) => {
    const headers = withoutHeaders(request.headers, remove);
    return next(withHeader({ ...request, headers }, name, await value()));
  };
}
