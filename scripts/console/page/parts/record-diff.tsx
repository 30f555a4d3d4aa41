/** What a change has done to a record: its members before and after, those that differ first to be seen. */
import { useState } from "preact/hooks";
import type { ChangeDetails } from "../shapes.js";
import { HIDDEN, valueWords } from "../words.js";
import { Ago, Checkbox, Empty, State } from "./basics.js";

export function RecordDiff({ change }: { readonly change: ChangeDetails }) {
  const { operation, at, before, after, isNow } = change;
  const [isWhole, setWhole] = useState(false);
  const rows = rowsOf(before, after);
  const differing = rows.filter(({ isSame }) => !isSame);
  const isComparable = before !== undefined && after !== null;
  const shown = isComparable && !isWhole ? differing : rows;
  return (
    <>
      <p>
        <State name={operation} /> <Ago at={at} />
      </p>
      {before === undefined && operation !== "insert" && (
        <p class="quiet small">
          The record before this change was not kept: it is for the latest 1,000 changes that were made on
          this machine.
        </p>
      )}
      {after === null && before === undefined && <Empty>The record was deleted.</Empty>}
      {isComparable && (
        <Checkbox isChecked={isWhole} onChange={setWhole}>
          Members that did not change, too
        </Checkbox>
      )}
      {isComparable && differing.length === 0 && (
        <p class="quiet">What has changed is hidden, or is not shown in the record.</p>
      )}
      {shown.length > 0 && (
        <table class="values diff">
          <thead>
            <tr>
              <th scope="col">Property</th>
              {before !== undefined && <th scope="col">Before</th>}
              {after !== null && <th scope="col">{isNow ? "Now" : "After"}</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, was, is, isSame }) => (
              <tr key={name} class={isSame || !isComparable ? undefined : "differs"}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                {before !== undefined && (
                  <td>
                    <Side value={was} isMarked={isComparable && !isSame} as="del" />
                  </td>
                )}
                {after !== null && (
                  <td>
                    <Side value={is} isMarked={isComparable && !isSame} as="ins" />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Side({
  value,
  isMarked,
  as: Tag,
}: {
  readonly value: unknown;
  readonly isMarked: boolean;
  readonly as: "del" | "ins";
}) {
  if (value === undefined) return <span class="quiet">absent</span>;
  if (value === HIDDEN) return <span class="hidden-value">hidden</span>;
  const words = (
    <span class={value === null ? "quiet" : "value"} dir="auto">
      {value === null ? "null" : valueWords(value)}
    </span>
  );
  return isMarked ? <Tag>{words}</Tag> : words;
}

interface DiffRow {
  readonly name: string;
  readonly was: unknown;
  readonly is: unknown;
  readonly isSame: boolean;
}

function rowsOf(before: unknown, after: unknown): readonly DiffRow[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(is), ...Object.keys(was)])];
  return names.map((name) => {
    const pair = { was: memberOf(was, name), is: memberOf(is, name) };
    return { name, ...pair, isSame: JSON.stringify(pair.was) === JSON.stringify(pair.is) };
  });
}

function membersOf(record: unknown): Readonly<Record<string, unknown>> {
  return typeof record === "object" && record !== null ? (record as Readonly<Record<string, unknown>>) : {};
}

function memberOf(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
