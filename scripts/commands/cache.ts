/** `connectorcli cache …`: what the cache of this machine holds. */
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { numberOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { ChangeView, RecordView, RejectedView } from "../workbench/store.js";
import { membersOf, printList, sayTail, type TableRow, tailOf } from "./table.js";
import { withStore } from "./with-store.js";

const DEFAULT_LIMIT = 20;

/** `cache show <object>`: the records of a data object. */
export function cacheShow(args: Arguments, shell: Shell): Promise<number> {
  return withStore(args, shell, async (store) => {
    const limit = numberOf(args["limit"]) ?? DEFAULT_LIMIT;
    for (const { name, dataPath: object } of store.objects({ object: stringOf(args["object"]) })) {
      const records = store.listRecords({ object, limit: limitOf(limit) });
      const count = await printList(records, { args, shell, json: recordJson, row: recordRow });
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
    // Who follows the feed must miss nothing; who looks at it wants its end.
    const isFollowed = choice.since !== undefined || limit !== undefined;
    const tail = isFollowed && args["tail"] === undefined ? undefined : tailOf(args);
    const changes = store.listChanges({ ...choice, limit, tail });
    const count = await printList(changes, { args, shell, json: (change) => change, row: changeRow });
    if (count === 0) shell.say("There is no such change.");
    sayTail(count, tail, shell);
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

function recordText(view: RecordView, args: Arguments): string {
  const text =
    args["json"] === true ? JSON.stringify(recordJson(view)) : `${view.key}  ${JSON.stringify(view.record)}`;
  return `${escapeControls(text)}\n`;
}

function recordJson({ key, sequence, record }: RecordView): object {
  return { key, sequence, record };
}

function recordRow({ key, record }: RecordView): TableRow {
  return [["primary key", key], ...membersOf(record)];
}

function changeRow({ sequence, at, operation, object, key }: ChangeView): TableRow {
  return [
    ["number", sequence],
    ["at", at],
    ["operation", operation],
    ["object", object],
    ["key", key],
  ];
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
