/** Waits for what comes later: values of iterables, errors of promises. */

/** All that an iterable gives. */
export async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** The values, one after another. */
export async function* listed<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  for (const value of values) yield value;
}

/** What `promise` is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}

/** The error that `promise` is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const thrown = await failure(promise);
  if (thrown instanceof Error) return thrown;
  throw new Error("it was not rejected with an error");
}

/** A promise that is fulfilled from outside. */
export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

export function deferred(): Deferred {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
