/** A user with a browser, for commands that ask to sign in. */

/** Goes to the address that a user is sent to; `redirectUri` is where the browser is to come back to. */
export type Browse = (address: string, redirectUri: string) => Promise<unknown>;

/** Browses once, as soon as the text of a command names the address; `done` is when that is over. */
export function browserOf(browse: Browse): { onText(stderr: string): void; done(): Promise<unknown> } {
  let browsed: Promise<unknown> | undefined;
  return {
    onText(stderr) {
      const [, address] = /Sign in here:\n(\S+)\n/.exec(stderr) ?? [];
      const [, redirectUri] = /redirect address (\S+)/.exec(stderr) ?? [];
      if (address !== undefined && redirectUri !== undefined) browsed ??= browse(address, redirectUri);
    },
    done: async () => browsed,
  };
}
