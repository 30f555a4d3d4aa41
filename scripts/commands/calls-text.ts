/** The requests of a run or an action, a line each. */
import type { MadeCall } from "../../runtime/history/history.js";
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";

/** Each request with its status and how long it took; the empty text if there are none. */
export function callsText(calls: readonly MadeCall[]): string {
  return calls.map((call) => `${escapeControls(callText(call))}\n`).join("");
}

function callText({ at, method, address, status, ms, attempt, problem }: MadeCall): string {
  const again = attempt === 1 ? "" : `, attempt ${attempt}`;
  return `  ${at}  ${method} ${address}: ${status ?? problem} after ${ms} ms${again}`;
}
