/**
 * Marks the context of a reader that is tried: it asks for nothing before it is needed, so that the calls that are seen are
 * those that the records took.
 */
const ONE_AT_A_TIME = Symbol.for("connectorcli.oneAtATime");

/** The context with the mark, which its copies keep. */
export function oneAtATime<Context extends object>(context: Context): Context {
  return { ...context, [ONE_AT_A_TIME]: true };
}

/** Whether a context has the mark. */
export function isOneAtATime(context: object): boolean {
  return Reflect.get(context, ONE_AT_A_TIME) === true;
}
