import { useState } from "preact/hooks";
import { Ago, Empty, Heading, Problem, RecordKey, State } from "../parts/basics.jsx";
import { Beside, enterBeside } from "../parts/beside.jsx";
import { Grid } from "../parts/grid.jsx";
import { ObjectChoice } from "../parts/object-choice.jsx";
import { RecordDiff } from "../parts/record-diff.jsx";
import { useAnswer } from "../parts/use-answer.js";
import type { ChangeDetails, ListedChange } from "../shapes.js";
import { nameOf, route } from "../state.js";

/** The latest inserts, updates and deletes of the cache. */
export function ChangesPage() {
  const object = route.value.query.get("object") ?? undefined;
  const { answer, problem } = useAnswer<{ rows: readonly ListedChange[] }>("changes", { object });
  const [selected, setSelected] = useState<number>();
  const rows = answer?.rows.toReversed() ?? [];
  const change = selected === undefined ? undefined : rows[selected];
  return (
    <>
      <Heading
        title="Changes"
        command={`connectorcli cache changes${object === undefined ? "" : ` --object ${nameOf(object)}`}`}
      >
        <ObjectChoice all="All data objects" />
      </Heading>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {rows.length === 0 ? (
        <Empty>Nothing has changed yet.</Empty>
      ) : (
        <>
          <p class="quiet small">The latest {rows.length}, the newest first.</p>
          <div class={change === undefined ? "split" : "split open"}>
            <Grid
              label="changes"
              columns={[
                {
                  title: "Number",
                  share: 0.8,
                  isNumber: true,
                  cell: ({ sequence }: ListedChange) => sequence,
                },
                { title: "What", cell: ({ operation }) => <State name={operation} /> },
                { title: "When", share: 1.7, cell: ({ at }) => <Ago at={at} /> },
                { title: "Data object", share: 1.2, cell: ({ object }) => nameOf(object) },
                { title: "Key", share: 2, cell: ({ key }) => <RecordKey value={key} /> },
              ]}
              count={rows.length}
              rowAt={(index) => rows[index]}
              selected={selected}
              onSelect={setSelected}
              onEnter={enterBeside}
            />
            {change !== undefined && (
              <Beside
                label="The chosen change"
                title={<RecordKey value={change.key} />}
                onClose={() => setSelected(undefined)}
              >
                <WhatChanged key={change.sequence} change={change} />
              </Beside>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** The record after a change beside the one before it. */
function WhatChanged({ change }: { readonly change: ListedChange }) {
  const { answer, problem } = useAnswer<ChangeDetails>("change", { sequence: change.sequence });
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  if (answer === undefined) return <p class="quiet">Loading…</p>;
  return <RecordDiff change={answer} />;
}
