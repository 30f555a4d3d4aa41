/** `connectorcli runs …`: the runs of the cache writer, and how they ended. */
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { RunView } from "../workbench/store.js";
import { callsText } from "./calls-text.js";
import { printList, sayTail, type TableRow, tailOf } from "./table.js";
import { withStore } from "./with-store.js";

/** `runs list [object]`: the latest runs, the newest first. */
export function runsList(args: Arguments, shell: Shell): Promise<number> {
  return withStore(args, shell, async (store) => {
    const tail = tailOf(args);
    const isFailed = args["failed"] === true;
    const runs = await store.listRuns({ object: stringOf(args["object"]), tail, isFailed });
    const count = await printList(runs, { args, shell, json: (run) => run, row: rowOf });
    if (count === 0)
      shell.say(
        isFailed ? "No run has failed." : "Nothing was run yet. Run: npx connectorcli run cache-writer",
      );
    sayTail(count, tail, shell);
    return 0;
  });
}

/** `runs show <id>`: a run with all that is known of it. */
export async function runsShow(args: Arguments, shell: Shell): Promise<number> {
  const text = stringOf(args["id"]) ?? "";
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    shell.say(`"${text}" is no number of a run.`);
    return 2;
  }
  return withStore(args, shell, async (store) => {
    const run = await store.getRun(Number(text));
    if (run === undefined) {
      shell.say(
        `The store has no run ${text}, or none any more. npx connectorcli runs list shows what there is.`,
      );
      return 1;
    }
    const history = await store.historyOfRun(run);
    shell.result(
      args["json"] === true
        ? `${escapeControls(JSON.stringify({ ...run, ...history }))}\n`
        : `${detailText(run)}${callsText(history.calls)}`,
    );
    return 0;
  });
}

const COUNTS = ["unchanged", "inserted", "updated", "deleted", "rejected"] as const;

function rowOf(run: RunView): TableRow {
  const { id, object, kind, state, startedAt, message } = run;
  return [
    ["number", id],
    ["object", object],
    ["read", kind],
    ["state", state],
    ["began", startedAt],
    ["took", durationWords(run)],
    ...COUNTS.map((name) => [name, run[name]] as const),
    ["message", message ?? undefined],
  ];
}

function detailText(run: RunView): string {
  const lines = rowOf(run).flatMap(([title, value]) =>
    value === undefined ? [] : [`${title.padEnd(10)}${escapeControls(String(value))}`],
  );
  return `${lines.join("\n")}\n`;
}

/** `1.2 s`; undefined while the run is under way, or if it never ended. */
function durationWords({ startedAt, endedAt }: RunView): string | undefined {
  if (endedAt === null) return undefined;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  return `${seconds.toFixed(1)} s`;
}
