/** A list of any length: only the rows that can be seen are in the page, which no table element can be. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";

const ROW_HEIGHT = 30;
const HEAD_HEIGHT = 32;
const REM_PER_SHARE = 5.5;

export interface Column<Row> {
  readonly title: string;
  /** Share of the width. */
  readonly share?: number;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

export interface GridProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  /** Undefined while it is being loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Called with the rows that can be seen. */
  readonly onRange?: (first: number, last: number) => void;
  readonly selected: number | undefined;
  readonly onSelect: (index: number) => void;
  /** Enter was pressed on the selected row. */
  readonly onEnter: () => void;
}

/** Rows are chosen by a click, by the arrow keys, and by Page up, Page down, Home and End; Enter opens one. */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, count, rowAt, onRange, selected, onSelect, onEnter } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, virtualizer } = useVirtualRows(scroller, count);
  const most = useRef(1);
  most.current = Math.max(most.current, rows.length);
  const first = rows[0]?.index;
  const last = rows.at(-1)?.index;
  useEffect(() => {
    if (first !== undefined && last !== undefined) onRange?.(first, last);
  }, [first, last, onRange]);
  const template = columns.map(({ share = 1 }) => `minmax(0, ${share}fr)`).join(" ");
  // Narrower columns tell nothing: the grid scrolls sideways instead.
  const minWidth = `${columns.reduce((sum, { share = 1 }) => sum + share, 0) * REM_PER_SHARE}rem`;
  // Whoever closes a row goes on from there.
  const lastSelected = useRef(-1);
  lastSelected.current = selected ?? lastSelected.current;
  const select = (index: number) => {
    const within = Math.max(0, Math.min(count - 1, index));
    onSelect(within);
    virtualizer.scrollToIndex(within, { align: "auto" });
  };
  // The chosen row stays in view when what is beside the list takes its place, and for whoever comes back to it.
  useLayoutEffect(() => {
    if (selected !== undefined) virtualizer.scrollToIndex(selected, { align: "auto" });
  }, [virtualizer.scrollRect?.height]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (count === 0) return;
    if (event.key === "Enter") {
      select(Math.max(0, lastSelected.current));
      return onEnter();
    }
    const inView = Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT);
    const step = steps(count, Math.max(1, inView))[event.key];
    if (step === undefined) return;
    event.preventDefault();
    select(step(lastSelected.current));
  };
  return (
    <div
      class="grid"
      role="grid"
      ref={scroller}
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-activedescendant={selected === undefined ? undefined : `row-${selected}`}
      onKeyDown={onKeyDown}
      // A few rows are a small list; a bar to scroll sideways has its place as well.
      style={{ maxHeight: `calc(${HEAD_HEIGHT + virtualizer.getTotalSize()}px + 1.2rem)` }}
    >
      <div class="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template, minWidth }}>
        {columns.map(({ title, isNumber }) => (
          <div key={title} role="columnheader" class={isNumber ? "number" : undefined}>
            {title}
          </div>
        ))}
      </div>
      <div class="grid-all" role="rowgroup" style={{ height: `${virtualizer.getTotalSize()}px`, minWidth }}>
        {rows.map(({ index, start }) => {
          const row = rowAt(index);
          return (
            <div
              // What leaves the view at one end is filled anew at the other: that is faster than a new element.
              key={index % most.current}
              id={`row-${index}`}
              role="row"
              class={`grid-row${index % 2 === 1 ? " odd" : ""}`}
              aria-rowindex={index + 2}
              aria-selected={index === selected}
              style={{ transform: `translateY(${start - HEAD_HEIGHT}px)`, gridTemplateColumns: template }}
              onClick={() => onSelect(index)}
            >
              {columns.map(({ title, cell, isNumber }) => (
                <div key={title} role="gridcell" class={isNumber ? "number" : undefined} dir="auto">
                  {row === undefined ? "…" : cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function steps(count: number, inView: number): Readonly<Record<string, (from: number) => number>> {
  return {
    ArrowDown: (from) => from + 1,
    ArrowUp: (from) => from - 1,
    PageDown: (from) => from + inView,
    PageUp: (from) => from - inView,
    Home: () => 0,
    End: () => count - 1,
  };
}

function useVirtualRows(scroller: { readonly current: HTMLDivElement | null }, count: number) {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    // The head stands above the rows, and stays there.
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    getScrollElement: () => scroller.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(0),
  };
  // One for the life of the grid: its options change with each drawing.
  const virtualizer = useMemo(() => new Virtualizer(options), []);
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return { rows: virtualizer.getVirtualItems(), virtualizer };
}
