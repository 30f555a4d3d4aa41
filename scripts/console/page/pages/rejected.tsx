import { Empty, Heading, Place, Problem, RecordKey } from "../parts/basics.jsx";
import { ObjectChoice } from "../parts/object-choice.jsx";
import { RecordView } from "../parts/record.jsx";
import { useAnswer } from "../parts/use-answer.js";
import type { RejectedAnswer, RejectedGroup } from "../shapes.js";
import { nameOf, objects, route } from "../state.js";
import { countWords } from "../words.js";

/** Records that do not fit their schema, by what is wrong with them. */
export function RejectedPage() {
  const object = route.value.query.get("object") ?? undefined;
  const { answer, problem } = useAnswer<RejectedAnswer>("rejected", { object });
  return (
    <>
      <Heading
        title="Rejected"
        command={`connectorcli cache rejected${object === undefined ? "" : ` ${nameOf(object)}`}`}
      >
        <ObjectChoice all="All data objects" />
      </Heading>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {answer !== undefined && answer.count === 0 && <Empty>Every record fits its schema.</Empty>}
      {answer !== undefined && answer.count > 0 && (
        <p class="quiet small">
          {answer.isWhole ? "" : "Of the first "}
          {countWords(answer.count, "record")}; the most frequent reason comes first.
        </p>
      )}
      {answer?.groups.map((group) => (
        <Group
          key={`${group.object} ${group.instancePath} ${group.keyword} ${group.expected}`}
          group={group}
        />
      ))}
    </>
  );
}

function Group({ group }: { readonly group: RejectedGroup }) {
  const { object, instancePath, expected, count, examples, place } = group;
  const title = objects.value.find(({ dataPath }) => dataPath === object)?.title ?? object;
  return (
    <section class="group">
      <h2 dir="auto">
        {title}: <code>{instancePath === "" ? "the record" : instancePath}</code>
      </h2>
      <p>
        {countWords(count, "record")}: expected {expected}.{" "}
        {place !== undefined && (
          <>
            Declared in <Place file={place.file} line={place.line} />
          </>
        )}
      </p>
      {examples.map((example, index) => (
        <details key={`${example.at} ${example.key} ${index}`}>
          <summary dir="auto">
            {example.key === null ? "without a key" : <RecordKey value={example.key} />}:{" "}
            {example.findings.find((finding) => finding.expected === expected)?.message}
          </summary>
          <RecordView object={object} recordKey={null} record={example.record} schema={undefined} />
        </details>
      ))}
    </section>
  );
}
