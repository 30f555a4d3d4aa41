/** Small things that all pages show. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Diagnostic } from "../shapes.js";
import { overview } from "../state.js";
import { agoWords, numberWords, shellWord } from "../words.js";

/** A choice of yes or no, with its words behind it. */
export function Checkbox({
  isChecked,
  onChange,
  children,
}: {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ComponentChildren;
}) {
  return (
    <label>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{" "}
      {children}
    </label>
  );
}

/** A button that can be reached while it can't be pressed: the keyboard stays at it, and its title says why. */
export function Button({
  isDisabled,
  onClick,
  children,
  ...attributes
}: {
  readonly isDisabled: boolean;
  readonly onClick?: () => void;
  readonly class?: string;
  readonly title?: string | undefined;
  readonly "aria-label"?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <button
      {...attributes}
      type="button"
      aria-disabled={isDisabled}
      onClick={isDisabled ? undefined : onClick}
    >
      {children}
    </button>
  );
}

/** What a page is about, and which command does the same. */
export function Heading({
  title,
  command,
  children,
}: {
  readonly title: string;
  readonly command: string;
  readonly children?: ComponentChildren;
}) {
  const { database, connection } = overview.value ?? {};
  const isOfConnection = /^connectorcli (?:test connection|read|act)\b/.test(command);
  const isOfWorkspace =
    /^connectorcli (?:cache|runs|queue|schedule) /.test(command) ||
    (isOfConnection && connection?.isFake === false);
  const isOfDatabase = isOfWorkspace || /^connectorcli (?:workspace|worker) /.test(command);
  const shown = database?.workspace?.name;
  const options = [
    isOfDatabase && database !== undefined ? " --database …" : "",
    isOfWorkspace && shown !== undefined ? ` --workspace ${shellWord(shown)}` : "",
  ].join("");
  return (
    <header class="heading">
      <h1 tabIndex={-1}>{title}</h1>
      <code class="command" title="This command does the same">
        {command}
        {options}
      </code>
      <div class="tools">{children}</div>
    </header>
  );
}

const TONES: Readonly<Record<string, string>> = {
  succeeded: "good",
  queued: "plain",
  running: "plain",
  taken: "plain",
  insert: "good",
  update: "plain",
  delete: "warn",
  "needs-approval": "warn",
  served: "good",
  alive: "good",
  waiting: "plain",
  paused: "warn",
  missed: "warn",
  "not-served": "quiet",
  "switched-off": "quiet",
  gone: "quiet",
  over: "warn",
  retry: "warn",
  lost: "warn",
  stopped: "quiet",
  cancelled: "quiet",
  abandoned: "quiet",
};

/** A state in a word; its colour says nothing that the word does not. */
export function State({ name }: { readonly name: string }) {
  return <span class={`state ${TONES[name] ?? "bad"}`}>{name.replaceAll("-", " ")}</span>;
}

export function Ago({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {agoWords(at)}
    </time>
  );
}

export function Count({ value }: { readonly value: number }) {
  return <span class={value === 0 ? "number zero" : "number"}>{numberWords(value)}</span>;
}

/** Nothing is there, and what to do about it. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Something went wrong; read out at once. */
export function Problem({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="problem" role="alert">
      {children}
    </p>
  );
}

export function Diagnostics({ list }: { readonly list: readonly Diagnostic[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="diagnostics">
      {list.map(({ code, severity, message, file, line, fix }) => (
        <li key={`${code} ${message}`}>
          <span class={`state ${severity === "error" ? "bad" : "warn"}`}>{severity}</span> {message}{" "}
          {file !== undefined && <Place file={file} line={line} />}
          {fix !== undefined && <div class="quiet">{fix}</div>}
        </li>
      ))}
    </ul>
  );
}

/** A line of the author's code, to be copied for the editor. */
export function Place({ file, line }: { readonly file: string; readonly line?: number | undefined }) {
  return <Copied text={line === undefined ? file : `${file}:${line}`} />;
}

/** A record's key, whose parts keep their order whatever the direction of their texts. */
export function RecordKey({ value }: { readonly value: string }) {
  return (
    <span dir="ltr">
      {value.split(/(\/)/).map((part, index) => (
        <bdi key={`${index} ${part}`}>{part}</bdi>
      ))}
    </span>
  );
}

/** A text with a button that copies it. */
export function Copied({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <span class="copied">
      <code>{text}</code>
      <button type="button" class="small" onClick={() => void copy()} aria-label={`Copy ${text}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
      <span class="hidden" role="status">
        {isCopied ? "Copied" : ""}
      </span>
    </span>
  );
}

/** A long text. */
export function LongText({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <Scrolled label={label} className="long">
      <pre dir="ltr">{children}</pre>
    </Scrolled>
  );
}

/** A value as JSON. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  return <LongText label={label}>{JSON.stringify(value, null, 2) ?? ""}</LongText>;
}

/** A table that may be wider than the page. */
export function Wide({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <Scrolled label={label} className="scroll">
      {children}
    </Scrolled>
  );
}

/** What the keyboard, too, can scroll. */
export function Scrolled({
  label,
  className,
  children,
}: {
  readonly label: string;
  readonly className: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody can scroll it by the keyboard.
    <section class={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
