/** Limits that JavaScript has no operator for: lengths in characters and multiples. */

/** The number of characters (code points); a surrogate without its other half counts as one. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index++) {
    if (!isLow(text.charCodeAt(index)) || !isHigh(text.charCodeAt(index - 1))) continue;
    length--;
    // A low half belongs to one high half only, and the next unit can't be a low half of this pair.
    index++;
  }
  return length;
}

export function isAtMost(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= limit * 2 && lengthOf(text) <= limit);
}

export function isAtLeast(text: string, limit: number): boolean {
  return text.length >= limit && (text.length >= limit * 2 || lengthOf(text) >= limit);
}

/**
 * Whether `value / step` is an integer as ajv has it, in floating point: 0.07 is no multiple of 0.01, and a quotient
 * of 1e21 or more is none of anything.
 */
export function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
