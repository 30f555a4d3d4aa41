import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask, CallError } from "../client.js";
import { Beside, Empty, Heading, Problem } from "../parts/basics.jsx";
import { type Column, Grid } from "../parts/grid.jsx";
import { ObjectChoice } from "../parts/object-choice.jsx";
import { CachedRecord } from "../parts/record.jsx";
import { useAnswer } from "../parts/use-answer.js";
import type { JsonSchema, ListedRecord, ObjectShape, RecordsAnswer, SchemaAnswer } from "../shapes.js";
import { chosenObject, overview, route } from "../state.js";
import { countWords, HIDDEN, numberWords, valueWords } from "../words.js";

const ROWS_PER_BLOCK = 200;
const MAX_COLUMNS = 7;

/** The cached records of a data object: all of them to scroll through, or those with a key or a text. */
export function RecordsPage() {
  const object = chosenObject.value;
  if (object === undefined) return <Empty>The connector has no data objects.</Empty>;
  return <ObjectRecords key={`${object.dataPath} ${route.value.query}`} object={object} />;
}

interface Filter {
  /** `text`, or the name of a key. */
  readonly by: string;
  readonly value: string;
  /** Number of the record at which a search for a text begins. */
  readonly from?: number;
}

function commandOf({ name, keys }: ObjectShape, { by, value }: Filter): string {
  const key = keys.find((candidate) => candidate.name === by);
  if (value === "" || key === undefined) return `connectorcli cache show ${name}`;
  const values = key.isPrimary ? value : `${value} --by ${by}`;
  return `connectorcli cache get ${name} ${values}`;
}

function ObjectRecords({ object }: { readonly object: ObjectShape }) {
  const { query } = route.value;
  const primary = object.keys.find(({ isPrimary }) => isPrimary)?.name ?? "text";
  const given: Filter = { by: query.get("by") ?? primary, value: query.get("value") ?? "" };
  const [filter, setFilter] = useState(given);
  const { answer: schema } = useAnswer<SchemaAnswer>("schema", { object: object.dataPath });
  const [selected, setSelected] = useState<number>();
  const { rowAt, count, onRange, problem, note, next } = useRecords(object, filter);
  const columns = useMemo(() => columnsOf(object, schema), [object, schema]);
  const record = selected === undefined ? undefined : rowAt(selected);
  return (
    <>
      <Heading title="Records" command={commandOf(object, filter)}>
        <ObjectChoice />
        <FilterForm
          object={object}
          filter={given}
          onFilter={(wanted) => {
            setSelected(undefined);
            setFilter(wanted);
          }}
        />
      </Heading>
      {problem !== undefined && <Problem>{problem}</Problem>}
      <p class="quiet small" aria-live="polite">
        {note}{" "}
        {next !== undefined && (
          <button
            type="button"
            class="small"
            onClick={() => {
              setSelected(undefined);
              setFilter({ ...filter, from: next });
            }}
          >
            Search the next ones
          </button>
        )}
      </p>
      {count === 0 && (
        <Empty>
          {filter.value === "" ? "The cache has no records of this object." : "No record is like that."}
        </Empty>
      )}
      {count !== undefined && count > 0 && (
        <div class={record === undefined ? "split" : "split open"}>
          <Grid
            label={`records of ${object.title}`}
            {...{ columns, count, rowAt, onRange, selected }}
            onSelect={setSelected}
          />
          {record !== undefined && (
            <ChosenRecord
              {...{ object, record, schema: schema?.schema }}
              onClose={() => setSelected(undefined)}
            />
          )}
        </div>
      )}
    </>
  );
}

function ChosenRecord({
  object,
  record,
  schema,
  onClose,
}: {
  readonly object: ObjectShape;
  readonly record: ListedRecord;
  readonly schema: JsonSchema | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Beside label="The chosen record" title={record.key} onClose={onClose}>
      <CachedRecord
        key={record.key}
        object={object.dataPath}
        recordKey={record.key.includes(HIDDEN) ? null : record.key}
        listed={record}
        schema={schema}
      />
    </Beside>
  );
}

function FilterForm({
  object,
  filter,
  onFilter,
}: {
  readonly object: ObjectShape;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}) {
  const [by, setBy] = useState(filter.by);
  const [value, setValue] = useState(filter.value);
  const keyNames = (name: string) =>
    object.keys.find((key) => key.name === name)?.propertyNames.join(", ") ?? name;
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onFilter({ by, value: value.trim() });
        }}
      >
        <label>
          <span class="hidden">Find by</span>
          <select value={by} onChange={(event) => setBy(event.currentTarget.value)}>
            {object.keys.map(({ name }) => (
              <option key={name} value={name}>
                {keyNames(name)}
              </option>
            ))}
            <option value="text">any text</option>
          </select>
        </label>
        <label>
          <span class="hidden">Value</span>
          <input
            type="search"
            placeholder={by === "text" ? "Find a text" : `Find by ${keyNames(by)}`}
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Find</button>
      </form>
    </search>
  );
}

interface Listed {
  readonly rowAt: (index: number) => ListedRecord | undefined;
  /** Undefined while it is loading. */
  readonly count: number | undefined;
  readonly onRange: (first: number, last: number) => void;
  readonly problem: string | undefined;
  readonly note: string;
  /** Where a search that has not come to the end goes on. */
  readonly next: number | undefined;
}

/** Records in blocks, of which only those are asked for that somebody looks at. */
function useRecords(object: ObjectShape, { by, value, from = 0 }: Filter): Listed {
  const blocks = useRef(new Map<number, readonly ListedRecord[]>());
  const asked = useRef(new Set<number>());
  const [count, setCount] = useState<number>();
  const [note, setNote] = useState("Loading…");
  const [next, setNext] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [, setLoaded] = useState(0);
  const isFiltered = value !== "";
  // What was read after a run is other than before it.
  const lastRun = overview.value?.objects?.find(({ dataPath }) => dataPath === object.dataPath)?.lastRun;
  const stamp = `${object.dataPath} ${by} ${value} ${from} ${lastRun?.id} ${lastRun?.endedAt}`;
  const load = useCallback(
    async (block: number) => {
      if (asked.current.has(block)) return;
      asked.current.add(block);
      try {
        const answer = await ask<RecordsAnswer>("records", {
          object: object.dataPath,
          ...(isFiltered
            ? filterQuery(object, { by, value, from })
            : { offset: block * ROWS_PER_BLOCK, limit: ROWS_PER_BLOCK }),
        });
        if (!asked.current.has(block)) return;
        blocks.current.set(block, answer.rows);
        setCount(isFiltered ? answer.rows.length : answer.total);
        setNote(noteOf(answer, isFiltered, from));
        setNext(answer.isWhole || answer.searched === undefined ? undefined : from + answer.searched);
        setLoaded((loaded) => loaded + 1);
      } catch (error) {
        asked.current.delete(block);
        if (!(error instanceof CallError)) throw error;
        setProblem(error.message);
      }
    },
    [stamp],
  );
  useEffect(() => {
    blocks.current.clear();
    asked.current.clear();
    setProblem(undefined);
    void load(0);
  }, [load]);
  const blockSize = isFiltered ? Number.MAX_SAFE_INTEGER : ROWS_PER_BLOCK;
  const onRange = useCallback(
    (first: number, last: number) => {
      if (isFiltered) return;
      for (
        let block = Math.floor(first / ROWS_PER_BLOCK);
        block <= Math.floor(last / ROWS_PER_BLOCK);
        block++
      )
        void load(block);
    },
    [load, isFiltered],
  );
  return {
    rowAt: (index) => blocks.current.get(Math.floor(index / blockSize))?.[index % blockSize],
    ...{ count, onRange, problem, note, next },
  };
}

function filterQuery({ keys }: ObjectShape, { by, value, from }: Filter) {
  const key = keys.find(({ name }) => name === by);
  if (key === undefined) return { text: value, offset: from };
  // The values of a key of several properties, as the command line takes them.
  return { by, value: key.propertyNames.length === 1 ? [value] : value.split(/[\s,]+/) };
}

function noteOf(
  { rows, total, searched, isWhole }: RecordsAnswer,
  isFiltered: boolean,
  from: number,
): string {
  if (!isFiltered) return countWords(total ?? 0, "record");
  const found = `${countWords(rows.length, "record")} found`;
  if (searched === undefined) return found;
  if (from === 0 && isWhole) return `${found} in ${countWords(searched, "record")}`;
  const last = numberWords(from + searched);
  return `${found} among the records ${numberWords(from + 1)} to ${last}${isWhole ? ", the last one" : ""}.`;
}

function columnsOf(object: ObjectShape, schema: SchemaAnswer | undefined): readonly Column<ListedRecord>[] {
  const properties = Object.keys((schema?.schema["properties"] ?? {}) as object);
  const first = object.keys.find(({ isPrimary }) => isPrimary)?.propertyNames ?? [];
  const names = [...first, ...properties.filter((name) => !first.includes(name))].slice(0, MAX_COLUMNS);
  if (names.length === 0) return [{ title: "Key", cell: ({ key }) => key }];
  return names.map((title) => ({
    title,
    cell: ({ record }) => shownCell((record as Readonly<Record<string, unknown>> | null)?.[title]),
  }));
}

function shownCell(value: unknown) {
  if (value === HIDDEN) return <span class="hidden-value">hidden</span>;
  if (value === null) return <span class="quiet">null</span>;
  return valueWords(value);
}
