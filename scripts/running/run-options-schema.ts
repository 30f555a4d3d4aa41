/** What `connectorcli.run` of a package.json may hold, by the names and units that `connectorcli/host` has. */

const count = { type: "integer", minimum: 0 };
const positive = { type: "integer", minimum: 1 };
const share = { type: "number", minimum: 0, maximum: 1 };
/** Milliseconds that a timer of Node can wait, 24 days. */
const timer = { type: "integer", minimum: 1, maximum: 2_147_483_647 };

function options<Properties extends object>(properties: Properties) {
  return { type: "object", properties, additionalProperties: false };
}

export const RUN_OPTIONS_SCHEMA = options({
  cacheWriter: options({
    pageSize: positive,
    guard: options({ maxShare: share, maxCount: count, alwaysAllowed: count }),
    rejectedLimit: options({ maxCount: count, maxShare: share }),
    resume: { type: "boolean" },
    resumeWithinMs: count,
  }),
  actionProcessor: options({
    maxInputBytes: positive,
    cancelAfterMs: positive,
    leaseMs: timer,
    timeoutMs: timer,
    graceMs: timer,
    retry: options({
      maxAttempts: positive,
      maxUnsureAttempts: positive,
      firstWaitMs: count,
      longestWaitMs: count,
    }),
  }),
  volatile: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
});
