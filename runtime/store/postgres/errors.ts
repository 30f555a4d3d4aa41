/** What PostgreSQL and the network report, in words for the user. */
import { StoreError, type StoreProblem } from "../store.js";

/** Error codes of PostgreSQL and of sockets. */
const PROBLEM_CODES: readonly (readonly [RegExp, StoreProblem])[] = [
  [/^(?:53100|53200)$/, "full"],
  [/^25006$|^42501$/, "read-only"],
  // A lock that was not given in time, two that waited for each other, too many connections.
  [/^(?:55P03|40P01|40001|53300|53400)$/, "locked"],
  [/^(?:XX001|XX002)$/, "corrupt"],
  [
    /^(?:08...|57P0.|57014|25P03|3D000|28...)$|^(?:ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|EHOST|ENET|EAI_)/,
    "unavailable",
  ],
];

const ADVICE: Readonly<Record<StoreProblem, string>> = {
  locked: "is busy: a lock or a connection was not to be had in time. Run again.",
  full: "can't grow: the disk or the memory of its server is full. Make room and run again.",
  "read-only": "can't be written. Name the primary server and a user who may write.",
  corrupt: "is damaged. Restore it from a backup.",
  newer: "was made by a newer version of connectorcli. Update connectorcli.",
  older:
    "was made by an older version of connectorcli. Bring it up to date first: npx connectorcli store migrate --database <its address>",
  unavailable: "can't be reached. Check its address, the credentials and that the server runs.",
  "other-tenant": "belongs to another tenant.",
  "other-connection": "belongs to another connection.",
  superseded: "was taken over by another worker, or has ended: nothing was written.",
  expired: "has removed changes that are asked for.",
  sealed: "is sealed by a key that was not given.",
  "queue-full": "has as many actions waiting as may wait.",
};

/** The StoreError that `error` means for `store`; `error` itself if it comes from neither the server nor the network. */
export function toStoreError(error: unknown, store: string): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const known = PROBLEM_CODES.find(([pattern]) => pattern.test(code))?.[1];
  if (known !== undefined) return createStoreError(known, store, error);
  return isLost(error) ? createStoreError("unavailable", store, error) : error;
}

/** An error that says what to do about `store`, which may also be a run or an action. `error` is its cause. */
export function createStoreError(kind: StoreProblem, store: string, error?: unknown): StoreError {
  const code = codeOf(error);
  const detail = code === "" ? "" : ` (${code})`;
  return new StoreError(kind, `${store} ${ADVICE[kind]}${detail}`, { cause: error });
}

/** The driver has no code for a connection that ended while it was used, or could not be made in time. */
function isLost(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(
      error.message,
    )
  );
}

/** Whether a row was to be added whose key is there. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === "23505";
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}
