import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Checkbox, Copied, Empty, Heading, Problem, RecordKey } from "../parts/basics.jsx";
import { ConnectionProblem, connectionProblem } from "../parts/connection-problem.jsx";
import { ObjectChoice } from "../parts/object-choice.jsx";
import { RecordView } from "../parts/record.jsx";
import { useWork, WorkPanel } from "../parts/run.jsx";
import type { PreviewedShape } from "../shapes.js";
import { chosenObject, overview } from "../state.js";
import { countWords } from "../words.js";

/** Reads a page with the author's code as it was last saved, without a store: records and traffic side by side. */
export function TryPage() {
  const work = useWork();
  const object = chosenObject.value;
  const [page, setPage] = useState(1);
  const [limit, setLimit] = useState(20);
  const [isFollowing, setFollowing] = useState(true);
  const begin = () => work.begin("read", { object: object?.dataPath, page, limit });
  // A save starts the pane again, if it was started once.
  const version = overview.value?.version;
  const began = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (isFollowing && version !== undefined && began.current !== undefined && began.current !== version) {
      began.current = version;
      begin();
    }
  }, [version, isFollowing]);
  if (object === undefined) return <Empty>The connector has no data objects.</Empty>;
  const previewed = (work.ended?.objects as readonly PreviewedShape[] | undefined)?.[0];
  return (
    <>
      <Heading
        title="Try a page"
        command={`connectorcli read ${object.name} --page ${page} --limit ${limit} --trace`}
      >
        <ObjectChoice />
        <label>
          Page{" "}
          <input
            type="number"
            min={1}
            value={page}
            onInput={(event) => setPage(Number(event.currentTarget.value) || 1)}
          />
        </label>
        <label>
          Records at most{" "}
          <input
            type="number"
            min={1}
            max={500}
            value={limit}
            onInput={(event) => setLimit(Number(event.currentTarget.value) || 20)}
          />
        </label>
        <Button
          isDisabled={work.isRunning || connectionProblem() !== undefined}
          title={connectionProblem()}
          onClick={() => {
            began.current = version ?? 0;
            begin();
          }}
        >
          Read
        </Button>
        <Checkbox isChecked={isFollowing} onChange={setFollowing}>
          again after each save
        </Checkbox>
      </Heading>
      <ConnectionProblem />
      {!work.isRunning && previewed === undefined && work.problem === undefined && (
        <Empty>The reader is called as it was last saved. Nothing is written.</Empty>
      )}
      <WorkPanel work={work} isBesideLog>
        {previewed !== undefined && <Previewed previewed={previewed} />}
      </WorkPanel>
    </>
  );
}

function Previewed({ previewed }: { readonly previewed: PreviewedShape }) {
  const { dataPath, records, outcome, message, frames, isWhole } = previewed;
  const wrong = records.filter(({ findings }) => findings.length > 0).length;
  return (
    <>
      <p role="status">
        {countWords(records.length, "record")} read{isWhole ? ", which is all" : ""}
        {wrong > 0 ? `, ${wrong} of which ${wrong === 1 ? "does" : "do"} not fit` : ""}. Nothing was written.
      </p>
      {outcome === "failed" && (
        <Problem>
          {message}
          {frames.map((frame) => (
            <span key={frame} class="code-frame">
              <Copied text={frame} />
            </span>
          ))}
        </Problem>
      )}
      {records.map(({ key, record, findings, operation }, index) => (
        <details
          key={`${key} ${index}`}
          open={index === 0 || findings.length > 0}
          class={findings.length > 0 ? "wrong" : undefined}
        >
          <summary dir="auto">
            {key === null ? "without a valid key" : <RecordKey value={key} />}
            {operation === "delete" ? " (deleted)" : ""}
            {findings.length > 0 ? `: ${countWords(findings.length, "finding")}` : ""}
          </summary>
          {findings.length > 0 && (
            <ul class="diagnostics">
              {findings.map((finding) => (
                <li key={finding.message} dir="auto">
                  {finding.message}
                </li>
              ))}
            </ul>
          )}
          <RecordView object={dataPath} recordKey={null} record={record} schema={undefined} />
        </details>
      ))}
    </>
  );
}
