/** Requests one under the other, each with its place in the time of all. */
import { useState } from "preact/hooks";
import type { MadeCall } from "../shapes.js";
import { countWords, millisecondWords } from "../words.js";
import { Checkbox, Empty, Wide } from "./basics.js";

export interface CallsProps {
  readonly calls: readonly MadeCall[];
  /** How many there were. */
  readonly count: number;
  /** What they are of, such as a run. */
  readonly of: string;
}

/** The requests of a run or an action: all, or those that failed. */
export function Calls({ calls, count, of }: CallsProps) {
  const [isFailedOnly, setFailedOnly] = useState(false);
  if (count === 0)
    return (
      <Empty>
        No requests of this {of} are kept: it made none, was run elsewhere or long ago, or the store is
        sealed.
      </Empty>
    );
  const failed = calls.filter(hasFailed);
  const shown = isFailedOnly ? failed : calls;
  const start = Math.min(...calls.map(({ at }) => Date.parse(at)));
  const end = Math.max(...calls.map(({ at, ms }) => Date.parse(at) + ms), start + 1);
  return (
    <>
      <div class="tools">
        <span>
          {countWords(count, "request")}
          {calls.length < count ? `, of which the last ${calls.length} are shown` : ""}, {failed.length}{" "}
          failed
        </span>
        <Checkbox isChecked={isFailedOnly} onChange={setFailedOnly}>
          Failed requests only
        </Checkbox>
      </div>
      <Wide label={`Requests of the ${of}`}>
        <table class="list calls">
          <caption class="hidden">Requests of the {of}</caption>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">Status</th>
              <th scope="col" class="number">
                Attempt
              </th>
              <th scope="col" class="number">
                Took
              </th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((call, index) => (
              <CallRow key={`${call.at} ${index}`} {...{ call, start, end }} />
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}

function hasFailed({ status }: MadeCall): boolean {
  return status === null || status >= 400;
}

function CallRow({
  call,
  start,
  end,
}: {
  readonly call: MadeCall;
  readonly start: number;
  readonly end: number;
}) {
  const { at, purpose, method, address, status, ms, attempt, problem } = call;
  const from = Date.parse(at) - start;
  const share = (milliseconds: number) => `${((milliseconds / (end - start)) * 100).toFixed(2)}%`;
  return (
    <tr>
      <th scope="row" dir="ltr" title={address}>
        {method} {pathOf(address)} {purpose === "token" && <span class="badge">token</span>}
      </th>
      <td>
        <span class={hasFailed(call) ? "bad" : "good"}>{status ?? problem}</span>
      </td>
      <td class="number">{attempt}</td>
      <td class="number">{millisecondWords(ms)}</td>
      <td>
        <span class="bar wide" aria-hidden="true">
          <span
            class={hasFailed(call) ? "failed" : undefined}
            style={{ marginInlineStart: share(from), width: share(ms) }}
          />
        </span>{" "}
        <time dateTime={at} title={at} class="quiet small">
          +{millisecondWords(from)}
        </time>
      </td>
    </tr>
  );
}

/** The address without what all requests have in common. */
function pathOf(address: string): string {
  const match = /^[a-z]+:\/\/[^/]+(\/.*)$/i.exec(address);
  return match?.[1] ?? address;
}
