import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

/** One of several views of a thing: the arrow keys, Home and End choose it. */
export function Tabs<Name extends string>({
  label,
  names,
  chosen,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** The chosen view. */
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = names.indexOf(chosen);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1 + names.length,
      Home: 0,
      End: names.length - 1,
    };
    const next = (steps[event.key] ?? Number.NaN) % names.length;
    const name = names[next];
    if (name === undefined) return;
    event.preventDefault();
    onChoose(name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {names.map((name, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={name === chosen}
            aria-controls={id}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={id}
        aria-labelledby={`${id}-${names.indexOf(chosen)}`}
        // Most views have nothing else that the keyboard can reach.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the pattern of tabs wants it.
        tabIndex={0}
      >
        {children}
      </div>
    </>
  );
}
