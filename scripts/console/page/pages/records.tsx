import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask, CallError } from "../client.js";
import { Empty, Heading, Problem, RecordKey } from "../parts/basics.jsx";
import { Beside, enterBeside } from "../parts/beside.jsx";
import { type Column, Grid } from "../parts/grid.jsx";
import { ObjectChoice } from "../parts/object-choice.jsx";
import { CachedRecord } from "../parts/record.jsx";
import { useAnswer } from "../parts/use-answer.js";
import type { JsonSchema, ListedRecord, ObjectShape, RecordsAnswer, SchemaAnswer } from "../shapes.js";
import { chosenObject, overview, route } from "../state.js";
import { countWords, HIDDEN, numberWords, shellWord, valueWords } from "../words.js";

const ROWS_PER_BLOCK = 200;
const MAX_COLUMNS = 7;
/** Share of the width: what tells records apart is often long. */
const KEY_SHARE = 2;

/** The cached records of a data object: all of them to scroll through, or those with a key or a text. */
export function RecordsPage() {
  const object = chosenObject.value;
  const { query } = route.value;
  const address = `${object?.dataPath} ${query}`;
  // What a person types may be secret: it is not in the address.
  const [typed, setTyped] = useState<{ readonly address: string; readonly filter: Filter }>();
  const given = useMemo(() => filterOf(object, query), [address]);
  if (object === undefined) return <Empty>The connector has no data objects.</Empty>;
  const filter = typed?.address === address ? typed.filter : given;
  const onFilter = (wanted: Filter) => setTyped({ address, filter: wanted });
  return (
    <>
      <Heading title="Records" command={commandOf(object, filter)}>
        <ObjectChoice />
        <FilterForm {...{ object, onFilter }} filter={given} />
      </Heading>
      <ObjectRecords key={address} {...{ object, filter, onFilter }} isGiven={filter === given} />
    </>
  );
}

/** In place of the name of a key. */
const ANY_TEXT = "";

interface Filter {
  /** The name of a key, or ANY_TEXT. */
  readonly by: string;
  /** The text, or the values of the key's properties; none for all records. */
  readonly values: readonly string[];
  /** Number of the record at which a search for a text begins. */
  readonly from?: number;
}

function filterOf(object: ObjectShape | undefined, query: URLSearchParams): Filter {
  const by = query.get("by") ?? object?.keys.find(({ isPrimary }) => isPrimary)?.name ?? ANY_TEXT;
  return { by, values: query.getAll("value") };
}

function commandOf({ name, keys }: ObjectShape, { by, values }: Filter): string {
  const key = keys.find((candidate) => candidate.name === by);
  if (values.length === 0 || key === undefined) return `connectorcli cache show ${name}`;
  const options = key.isPrimary ? [] : ["--by", by];
  // What looks like an option is none.
  const dashes = values.some((value) => value.startsWith("-")) ? ["--"] : [];
  const words = [name, ...options, ...dashes, ...values].map(shellWord);
  return `connectorcli cache get ${words.join(" ")}`;
}

function ObjectRecords({
  object,
  filter,
  isGiven,
  onFilter,
}: {
  readonly object: ObjectShape;
  readonly filter: Filter;
  /** Whether the address has the filter, and not only this page. */
  readonly isGiven: boolean;
  readonly onFilter: (filter: Filter) => void;
}) {
  const { answer: schema } = useAnswer<SchemaAnswer>("schema", { object: object.dataPath });
  const [chosen, setChosen] = useState(() => ({ filter, row: keptRow() }));
  const selected = chosen.filter === filter ? chosen.row : undefined;
  const setSelected = (row: number | undefined) => setChosen({ filter, row });
  const { rowAt, count, onRange, problem, note, next } = useRecords(object, filter);
  const columns = useMemo(() => columnsOf(object, schema), [object, schema]);
  const record = selected === undefined ? undefined : rowAt(selected);
  return (
    <>
      {problem !== undefined && <Problem>{problem}</Problem>}
      <p class="quiet small" aria-live="polite">
        {note}{" "}
        {next !== undefined && (
          <button type="button" class="small" onClick={() => onFilter({ ...filter, from: next })}>
            Search the next ones
          </button>
        )}
      </p>
      {count === 0 && (
        <Empty>
          {filter.values.length === 0
            ? "The cache has no records of this object."
            : "No record is like that."}
        </Empty>
      )}
      {count !== undefined && count > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only hears of links in it.
        // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is entered is clicked.
        <div
          class={record === undefined ? "split" : "split open"}
          onClick={({ target }) =>
            target instanceof Element && target.closest("a") && keepRow(isGiven ? selected : undefined)
          }
        >
          <Grid
            key={JSON.stringify(filter)}
            label={`records of ${object.title}`}
            {...{ columns, count, rowAt, onRange, selected }}
            onSelect={setSelected}
            onEnter={enterBeside}
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

/** Whoever follows a link and comes back finds the record that was chosen. */
function keepRow(row: number | undefined): void {
  history.replaceState({ row }, "");
}

function keptRow(): number | undefined {
  const { row } = (history.state ?? {}) as { readonly row?: number };
  // Another one may be chosen from here on.
  history.replaceState(null, "");
  return row;
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
    <Beside label="The chosen record" title={<RecordKey value={record.key} />} onClose={onClose}>
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
  const [typed, setTyped] = useState({ of: filter, filter });
  const { by, values } = typed.of === filter ? typed.filter : filter;
  const setBy = (name: string) => setTyped({ of: filter, filter: { by: name, values } });
  const names = propertyNames(object, by);
  const setValue = (index: number, value: string) => {
    const changed = names.map((_, each) => (each === index ? value : (values[each] ?? "")));
    setTyped({ of: filter, filter: { by, values: changed } });
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // A value that a link has brought is exact.
          const wanted = names.map((_, index) => {
            const { [index]: value = "" } = values;
            return value === filter.values[index] ? value : value.trim();
          });
          onFilter({ by, values: wanted.some((value) => value !== "") ? wanted : [] });
        }}
      >
        <label>
          <span class="hidden">Find by</span>
          <select value={by} onChange={(event) => setBy(event.currentTarget.value)}>
            {object.keys.map(({ name }) => (
              <option key={name} value={name}>
                {propertyNames(object, name).join(", ")}
              </option>
            ))}
            <option value={ANY_TEXT}>any text</option>
          </select>
        </label>
        {names.map((name, index) => (
          <label key={name}>
            <span class="hidden">{name}</span>
            <input
              type="search"
              dir="auto"
              required={names.length > 1 && values.some((value) => value !== "")}
              placeholder={by === ANY_TEXT ? "Find a text" : names.length > 1 ? name : `Find by ${name}`}
              value={values[index] ?? ""}
              onInput={(event) => setValue(index, event.currentTarget.value)}
            />
          </label>
        ))}
        <button type="submit">Find</button>
      </form>
    </search>
  );
}

/** What a filter has values of. */
function propertyNames({ keys }: ObjectShape, by: string): readonly string[] {
  return keys.find(({ name }) => name === by)?.propertyNames ?? ["Text"];
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
function useRecords(object: ObjectShape, { by, values, from = 0 }: Filter): Listed {
  const blocks = useRef(new Map<number, readonly ListedRecord[]>());
  const asked = useRef(new Set<number>());
  const [count, setCount] = useState<number>();
  const [note, setNote] = useState("Loading…");
  const [next, setNext] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [, setLoaded] = useState(0);
  const isFiltered = values.length > 0;
  // What was read after a run is other than before it.
  const lastRun = overview.value?.objects?.find(({ dataPath }) => dataPath === object.dataPath)?.lastRun;
  const stamp = JSON.stringify([object.dataPath, by, values, from, lastRun?.id, lastRun?.endedAt]);
  const load = useCallback(
    async (block: number) => {
      if (asked.current.has(block)) return;
      asked.current.add(block);
      try {
        const answer = await ask<RecordsAnswer>("records", {
          object: object.dataPath,
          ...(isFiltered
            ? filterQuery(object, { by, values, from })
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

function filterQuery({ keys }: ObjectShape, { by, values, from }: Filter) {
  return keys.some(({ name }) => name === by) ? { by, value: values } : { text: values[0], offset: from };
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
  if (names.length === 0) return [{ title: "Key", cell: ({ key }) => <RecordKey value={key} /> }];
  return names.map((title) => ({
    title,
    share: first.includes(title) ? KEY_SHARE : 1,
    cell: ({ record }) => shownCell((record as Readonly<Record<string, unknown>> | null)?.[title]),
  }));
}

function shownCell(value: unknown) {
  if (value === HIDDEN) return <span class="hidden-value">hidden</span>;
  if (value === null) return <span class="quiet">null</span>;
  return valueWords(value);
}
