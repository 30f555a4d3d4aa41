import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** What was chosen of a list, beside the list. Escape closes it, and the keyboard is back where it was opened. */
export function Beside({
  label,
  title,
  onClose,
  children,
}: {
  readonly label: string;
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const place = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const aside = place.current;
    const split = aside?.parentElement;
    const opener = split?.contains(document.activeElement)
      ? document.activeElement
      : split?.firstElementChild;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === "Escape") close.current();
    };
    // From the list as well.
    split?.addEventListener("keydown", onKeyDown);
    return () => {
      split?.removeEventListener("keydown", onKeyDown);
      if (aside?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <aside aria-label={label} ref={place}>
      <div class="aside-head">
        <h2 dir="auto" tabIndex={-1}>
          {title}
        </h2>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {children}
    </aside>
  );
}

/** Brings the keyboard to what is beside the list, once it is drawn. */
export function enterBeside(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>("aside h2")?.focus());
}
