/** One record in three views: as a table, as JSON, and by its schema. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { CallError, tell } from "../client.js";
import { type Relation, referredRecords, referringRecords } from "../relations.js";
import type { JsonSchema, ListedRecord } from "../shapes.js";
import { hrefOf, objects } from "../state.js";
import { HIDDEN, valueWords } from "../words.js";
import { Empty, Json, Problem } from "./basics.js";
import { InPlace } from "./in-place.js";
import { Tabs } from "./tabs.js";
import { useAnswer } from "./use-answer.js";

const VIEWS = ["Table", "JSON", "Schema"] as const;

export interface RecordProps {
  /** Data path of the object. */
  readonly object: string;
  /** The primary key; null if it is not known or must not be shown, so that nothing can be revealed. */
  readonly recordKey: string | null;
  readonly record: unknown;
  readonly schema: JsonSchema | undefined;
}

/** A cached record. It is asked for where a list has not, or not all of it. */
export function CachedRecord({
  listed,
  ...props
}: Omit<RecordProps, "record"> & {
  /** What a list has of it. */
  readonly listed?: Pick<ListedRecord, "record" | "isCut">;
}) {
  const { object, recordKey } = props;
  const isWhole = listed?.isCut === false;
  const { answer, problem } = useAnswer<{ readonly record: unknown }>(
    "record",
    { object, key: recordKey ?? undefined },
    { isWanted: recordKey !== null && !isWhole },
  );
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  if (isWhole || recordKey === null) return <KnownRecord {...props} listed={listed} />;
  if (answer === undefined) return <p class="quiet">Loading…</p>;
  return <RecordView {...props} record={answer.record} />;
}

/** A record whose key is hidden can't be asked for: what the list has of it is all. */
function KnownRecord({
  listed,
  ...props
}: Omit<RecordProps, "record"> & {
  readonly listed: Pick<ListedRecord, "record" | "isCut"> | undefined;
}) {
  if (listed === undefined)
    return <Empty>The key of this record is hidden: find it among the records.</Empty>;
  return (
    <>
      {listed.isCut && <p class="quiet">This record is long, and its key is hidden: long values are cut.</p>}
      <RecordView {...props} record={listed.record} />
    </>
  );
}

export function RecordView(props: RecordProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]>("Table");
  const { record, schema } = props;
  const names = schema === undefined ? (["Table", "JSON"] as const) : VIEWS;
  return (
    <div class="record">
      <Tabs label="View" names={names} chosen={view} onChoose={setView}>
        {view === "JSON" ? (
          <Json label="The record as JSON" value={record} />
        ) : view === "Schema" && schema !== undefined ? (
          <SchemaTable schema={schema} />
        ) : (
          <ValueTable {...props} value={record} pointer="" />
        )}
      </Tabs>
    </div>
  );
}

function ValueTable({
  value,
  pointer,
  ...props
}: RecordProps & { readonly value: unknown; readonly pointer: string }) {
  const members = membersOf(value);
  if (members === undefined) return <Value {...props} value={value} pointer={pointer} />;
  if (members.length === 0)
    return <span class="quiet">{Array.isArray(value) ? "no items" : "no members"}</span>;
  const { single, several } = relationsOf(value as object, pointer === "" ? props.object : undefined);
  return (
    <>
      {several.length > 0 && (
        <p>
          Related:{" "}
          {several.map((relation) => (
            <RelationLink key={hrefTo(relation)} relation={relation}>
              {relation.object.title} by {relation.members.join(", ")}
            </RelationLink>
          ))}
        </p>
      )}
      <table class="values">
        <tbody>
          {members.map(([name, member]) => {
            const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
            return (
              <tr key={name}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                <td>
                  {!membersOf(member)?.length ? (
                    <ValueTable {...props} value={member} pointer={place} />
                  ) : (
                    <details>
                      <summary>{valueWords(member).slice(0, 60)}</summary>
                      <ValueTable {...props} value={member} pointer={place} />
                    </details>
                  )}
                  {single.map(
                    (relation) =>
                      relation.members[0] === name && (
                        <RelationLink key={hrefTo(relation)} relation={relation}>
                          {relation.object.title}
                        </RelationLink>
                      ),
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/**
 * What members lead to by one of them, and by several or from elsewhere.
 *
 * @param dataPath Of the data object whose record has these members, if it is one.
 */
function relationsOf(value: object, dataPath: string | undefined) {
  const own = objects.value.find((object) => object.dataPath === dataPath);
  const members = value as Readonly<Record<string, unknown>>;
  const referred = referredRecords(members, own, objects.value);
  const isSingle = (relation: Relation) => relation.members.length === 1;
  return {
    single: referred.filter(isSingle),
    several: [
      ...referred.filter((relation) => !isSingle(relation)),
      ...referringRecords(members, own, objects.value),
    ],
  };
}

function hrefTo({ object, key, values }: Relation): string {
  return hrefOf("records", { object: object.dataPath, by: key.name, value: values });
}

function RelationLink({
  relation,
  children,
}: {
  readonly relation: Relation;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      {" "}
      <a href={hrefTo(relation)} class="related">
        {children}
      </a>
    </>
  );
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
}

function Value({
  value,
  pointer,
  ...props
}: RecordProps & { readonly value: unknown; readonly pointer: string }) {
  if (value === HIDDEN) return <HiddenValue {...props} pointer={pointer} />;
  return (
    <span class={value === null ? "quiet" : "value"} dir="auto">
      {typeof value === "string" ? value : JSON.stringify(value)}
    </span>
  );
}

/** A sensitive value: shown one at a time, for a reason that the terminal keeps. */
function HiddenValue({ object, recordKey, pointer }: RecordProps & { readonly pointer: string }) {
  const [step, setStep] = useState<"hidden" | "asked" | "shown">("hidden");
  const [reason, setReason] = useState("");
  const [value, setValue] = useState<unknown>(undefined);
  const [problem, setProblem] = useState<string>();
  if (recordKey === null || pointer === "") return <span class="hidden-value">hidden</span>;
  const reveal = async () => {
    try {
      const answer = await tell<{ value: unknown }>("reveal", { object, key: recordKey, pointer, reason });
      setValue(answer.value);
      setStep("shown");
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <InPlace step={step} onLeave={step === "asked" ? () => setStep("hidden") : undefined}>
      {step === "shown" ? (
        <span class="value revealed">
          {typeof value === "string" ? value : JSON.stringify(value)}{" "}
          <button type="button" class="small" onClick={() => setStep("hidden")}>
            Hide
          </button>
        </span>
      ) : step === "hidden" ? (
        <span>
          <span class="hidden-value">hidden</span>{" "}
          <button
            type="button"
            class="small"
            onClick={() => setStep("asked")}
            aria-label={`Reveal ${pointer}`}
          >
            Reveal…
          </button>
        </span>
      ) : (
        <form
          class="reveal"
          onSubmit={(event) => {
            event.preventDefault();
            void reveal();
          }}
        >
          <label>
            Why do you need it?{" "}
            <input
              value={reason}
              required
              autocomplete="off"
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>{" "}
          <button type="submit">Reveal</button>{" "}
          <button type="button" onClick={() => setStep("hidden")}>
            Cancel
          </button>
          {problem !== undefined && <Problem>{problem}</Problem>}
        </form>
      )}
    </InPlace>
  );
}

function SchemaTable({ schema }: { readonly schema: JsonSchema }) {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema["required"] ?? []) as readonly string[];
  return (
    <table class="values">
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">Type</th>
          <th scope="col">Constraints</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(properties).map(([name, property]) => (
          <tr key={name}>
            <th scope="row" dir="auto">
              {name}
            </th>
            <td>{typeWords(property)}</td>
            <td>
              {required.includes(name) && <span class="badge">required</span>}
              {property["writeOnly"] === true && <span class="badge bad">write-only</span>}
              {property["readOnly"] === true && <span class="badge">read-only</span>}
              <span class="quiet">{constraintWords(property)}</span>
              {typeof property["description"] === "string" && <div dir="auto">{property["description"]}</div>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function typeWords(schema: JsonSchema): string {
  const { type, format } = schema as { readonly type?: unknown; readonly format?: unknown };
  if (typeof schema["$ref"] === "string") return schema["$ref"].slice(schema["$ref"].lastIndexOf("/") + 1);
  if (Array.isArray(schema["enum"])) return "one of a list";
  const words = Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
  return typeof format === "string" ? `${words} (${format})` : words;
}

const SAID = new Set([
  "type",
  "format",
  "title",
  "description",
  "writeOnly",
  "readOnly",
  "properties",
  "required",
]);

function constraintWords(schema: JsonSchema): string {
  return Object.entries(schema)
    .filter(([keyword]) => !SAID.has(keyword) && !keyword.startsWith("$"))
    .map(([keyword, value]) => `${keyword} ${valueWords(value)}`)
    .join(", ");
}
