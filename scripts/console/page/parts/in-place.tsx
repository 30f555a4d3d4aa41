import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A button and, in its place after it was pressed, a form: the keyboard goes along, and Escape leaves the form. */
export function InPlace({
  step,
  onLeave,
  children,
}: {
  /** Tells apart what is shown in this place one after the other. */
  readonly step: string;
  /** Undefined where there is nothing to leave. */
  readonly onLeave: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useLayoutEffect(() => {
    if (shown.current !== step) place.current?.querySelector<HTMLElement>("input, button")?.focus();
    shown.current = step;
  }, [step]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || onLeave === undefined) return;
    // What is around it stays open.
    event.stopPropagation();
    onLeave();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is in it is pressed; it only hears of Escape.
    <div class="in-place" ref={place} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
