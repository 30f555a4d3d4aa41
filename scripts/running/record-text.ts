/** A cached record as a line. */
import type { StoredRecord } from "../../runtime/store/records.js";
import type { Arguments } from "../command-spec.js";
import type { ShownObject } from "./stored-types.js";

/** The key and the record; with `--json`, an object of both. */
export function recordText(
  { key, sequence, record }: StoredRecord,
  shown: ShownObject,
  args: Arguments,
): string {
  const seen = { key: shown.key(key), sequence, record: shown.record(record) };
  return args["json"] === true
    ? `${JSON.stringify(seen)}\n`
    : `${seen.key}  ${JSON.stringify(seen.record)}\n`;
}
