/** Boolean expressions of emitted checks: constants fold away, and parentheses are written only if they are needed. */

/** How tightly an expression binds: `?:` least, atoms most. */
type Rank = 1 | 2 | 3 | 4;

/** A boolean expression as text. */
export interface Expression {
  readonly text: string;
  readonly rank: Rank;
  /** What `&&` joins, for a layout with a line each. */
  readonly conditions?: readonly string[];
}

const CHOICE = 1;
const OR = 2;
const AND = 3;
const ATOM = 4;

export const TRUE: Expression = { text: "true", rank: ATOM };
export const FALSE: Expression = { text: "false", rank: ATOM };

/** Text that needs no parentheses beside `&&`, `||` and `?:`, such as a comparison or a call. */
export function atom(text: string): Expression {
  return { text, rank: ATOM };
}

export function and(...parts: readonly Expression[]): Expression {
  const kept = parts.filter((part) => part !== TRUE);
  if (kept.includes(FALSE)) return FALSE;
  return joinParts(kept, " && ", AND) ?? TRUE;
}

export function or(...parts: readonly Expression[]): Expression {
  const kept = parts.filter((part) => part !== FALSE);
  if (kept.includes(TRUE)) return TRUE;
  return joinParts(kept, " || ", OR) ?? FALSE;
}

/** `test ? yes : no`, in its shortest form. `test` is no constant. */
export function choice(test: Expression, yes: Expression, no: Expression): Expression {
  if (yes === TRUE) return or(test, no);
  if (no === FALSE) return and(test, yes);
  const text = `${wrapIfLooser(test, OR)} ? ${wrapIfLooser(yes, OR)} : ${wrapIfLooser(no, CHOICE)}`;
  return { text, rank: CHOICE };
}

export function not(part: Expression): Expression {
  if (part === TRUE) return FALSE;
  if (part === FALSE) return TRUE;
  return atom(`!(${part.text})`);
}

function joinParts(parts: readonly Expression[], operator: string, rank: Rank): Expression | undefined {
  const [only] = parts;
  if (parts.length < 2) return only;
  const texts = parts.map((part) => wrapIfLooser(part, rank));
  const text = texts.join(operator);
  if (rank !== AND) return { text, rank };
  // What is joined already counts condition by condition.
  const conditions = parts.flatMap((part, index) => part.conditions ?? [texts[index] ?? ""]);
  return { text, rank, conditions };
}

function wrapIfLooser(part: Expression, least: Rank): string {
  return part.rank < least ? `(${part.text})` : part.text;
}
