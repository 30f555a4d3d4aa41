import { useState } from "preact/hooks";
import { Ago, Beside, Empty, Heading, Problem, State } from "../parts/basics.jsx";
import { Grid } from "../parts/grid.jsx";
import { ObjectChoice } from "../parts/object-choice.jsx";
import { CachedRecord } from "../parts/record.jsx";
import { useAnswer } from "../parts/use-answer.js";
import type { ListedChange } from "../shapes.js";
import { objects, route } from "../state.js";
import { HIDDEN } from "../words.js";

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
          <p class="quiet small">
            The latest {rows.length}, the newest first. Each record is shown as it is now.
          </p>
          <div class={change === undefined ? "split" : "split open"}>
            <Grid
              label="changes"
              columns={[
                { title: "Number", isNumber: true, cell: ({ sequence }: ListedChange) => sequence },
                { title: "What", cell: ({ operation }) => <State name={operation} /> },
                { title: "When", cell: ({ at }) => <Ago at={at} /> },
                { title: "Data object", cell: ({ object }) => nameOf(object) },
                { title: "Key", share: 2, cell: ({ key }) => key },
              ]}
              count={rows.length}
              rowAt={(index) => rows[index]}
              selected={selected}
              onSelect={setSelected}
            />
            {change !== undefined && (
              <Beside label="The chosen change" title={change.key} onClose={() => setSelected(undefined)}>
                {change.isThere ? (
                  <CachedRecord
                    key={change.sequence}
                    object={change.object}
                    recordKey={change.key.includes(HIDDEN) ? null : change.key}
                    schema={undefined}
                  />
                ) : (
                  <Empty>The record is not in the cache any more.</Empty>
                )}
              </Beside>
            )}
          </div>
        </>
      )}
    </>
  );
}

function nameOf(dataPath: string): string {
  return objects.value.find((object) => object.dataPath === dataPath)?.name ?? dataPath;
}
