/** `connectorcli cache …`: what the cache of this machine holds. */
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { numberOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { ChangeView, RecordView, RejectedView } from "../workbench/store.js";
import { withStore } from "./with-store.js";

const DEFAULT_LIMIT = 20;

/** `cache show <object>`: the records of a data object. */
export function cacheShow(args: Arguments, shell: Shell): Promise<number> {
  return withStore(args, shell, async (store) => {
    const limit = numberOf(args["limit"]) ?? DEFAULT_LIMIT;
    for (const { name, dataPath: object } of store.objects({ object: stringOf(args["object"]) })) {
      let count = 0;
      for await (const record of store.listRecords({ object, limit: limitOf(limit) })) {
        shell.result(recordText(record, args));
        count++;
      }
      const more = (await store.countRecords({ object })) - count;
      if (more > 0) shell.say(`${more} more: --limit shows them.`);
      if (count === 0) shell.say(`The cache has no records of ${name}.`);
    }
    return 0;
  });
}

/** `cache get <object> <key…>`: the record with a key, the primary one or any other. */
export function cacheGet(args: Arguments, shell: Shell): Promise<number> {
  return withStore(args, shell, async (store) => {
    const values = Array.isArray(args["key"]) ? args["key"].map(String) : [];
    const object = stringOf(args["object"]);
    const records = await store.findRecords({ object, values, by: stringOf(args["by"]) });
    for (const record of records) shell.result(recordText(record, args));
    if (records.length > 0) return 0;
    shell.say("The cache has no record with this key.");
    return 1;
  });
}

/** `cache changes`: the change feed, for whoever follows it. */
export function cacheChanges(args: Arguments, shell: Shell): Promise<number> {
  return withStore(args, shell, async (store) => {
    const limit = limitOf(numberOf(args["limit"]));
    const choice = { since: numberOf(args["since"]), object: stringOf(args["object"]) };
    for await (const change of store.listChanges({ ...choice, limit, tail: numberOf(args["tail"]) })) {
      shell.result(
        args["json"] === true ? `${escapeControls(JSON.stringify(change))}\n` : changeText(change),
      );
    }
    return 0;
  });
}

/** `cache rejected [object]`: records that were kept aside, and why. */
export function cacheRejected(args: Arguments, shell: Shell): Promise<number> {
  return withStore(args, shell, async (store) => {
    let count = 0;
    for await (const rejected of store.listRejected({ object: stringOf(args["object"]) })) {
      shell.result(`${rejectedText(rejected, args)}\n`);
      count++;
    }
    if (count === 0) shell.say("No record is rejected.");
    return 0;
  });
}

/** On the command line, 0 stands for all. */
function limitOf(limit: number | undefined): number | undefined {
  return limit === 0 ? undefined : limit;
}

function recordText({ key, sequence, record }: RecordView, args: Arguments): string {
  const text =
    args["json"] === true ? JSON.stringify({ key, sequence, record }) : `${key}  ${JSON.stringify(record)}`;
  return `${escapeControls(text)}\n`;
}

function changeText({ sequence, at, operation, object, key }: ChangeView): string {
  return `${sequence}  ${at}  ${operation}  ${object}  ${escapeControls(key)}\n`;
}

function rejectedText(
  { object, operation, key, at, findings, record }: RejectedView,
  args: Arguments,
): string {
  if (args["json"] === true)
    return escapeControls(JSON.stringify({ object, operation, key, at, findings, record }));
  const reasons = findings.map(({ message }) => `  ${message}`);
  const lines = [`${object}  ${key ?? "without key"}  ${at}`, ...reasons, `  ${JSON.stringify(record)}`];
  return lines.map(escapeControls).join("\n");
}
