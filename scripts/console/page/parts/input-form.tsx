/** The input of an action: as a form, or as JSON; what does not fit is said while it is typed. */
import { lazy, Suspense } from "preact/compat";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Finding } from "../../../../runtime/validation/finding.js";
import { findings } from "../../../../runtime/validation/findings.js";
import type { JsonSchema } from "../shapes.js";
import { Tabs } from "./tabs.jsx";

const VIEWS = ["Form", "JSON"] as const;

/** Forms are large: they are loaded only where there is one. */
const SchemaForm = lazy(async () => ({ default: (await import("./schema-form.jsx")).SchemaForm }));

export interface InputFormProps {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Called with how many findings there are. */
  readonly onFindings: (count: number) => void;
}

export function InputForm({ schema, value, onChange, onFindings }: InputFormProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]>("Form");
  const [text, setText] = useState("");
  const [isJson, setIsJson] = useState(true);
  const found = useMemo<readonly Finding[]>(() => findings(schema, value), [schema, value]);
  useEffect(() => onFindings(isJson ? found.length : 1), [found, isJson]);
  const choose = (wanted: (typeof VIEWS)[number]) => {
    if (wanted === "JSON") setText(JSON.stringify(value, null, 2));
    setIsJson(true);
    setView(wanted);
  };
  return (
    <div>
      <Tabs label="Input as" names={VIEWS} chosen={view} onChoose={choose}>
        {view === "Form" ? (
          <Suspense fallback={<p class="quiet">The form is loading.</p>}>
            <SchemaForm schema={schema} value={value} onChange={onChange} />
          </Suspense>
        ) : (
          <>
            <textarea
              aria-label="Input as JSON"
              rows={12}
              spellcheck={false}
              value={text}
              onInput={(event) => {
                const { value: typed } = event.currentTarget;
                setText(typed);
                try {
                  onChange(JSON.parse(typed));
                  setIsJson(true);
                } catch {
                  setIsJson(false);
                }
              }}
            />
            <ul class="diagnostics">
              {!isJson && <li>This is no JSON yet.</li>}
              {isJson && found.map(({ message }) => <li key={message}>{message}</li>)}
            </ul>
          </>
        )}
      </Tabs>
    </div>
  );
}
