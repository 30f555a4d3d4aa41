/** UUIDs, unit by unit: the most common format of keys. */

/** Eight, four, four, four and twelve hexadecimal digits, with or without `urn:uuid:` before them. */
export function isUuid(text: string): boolean {
  if (text.length === 36) return isUuidFrom(text, 0);
  return text.length === 45 && text.slice(0, 9).toLowerCase() === "urn:uuid:" && isUuidFrom(text, 9);
}

function isUuidFrom(text: string, start: number): boolean {
  for (let index = 0; index < 36; index++) {
    const unit = text.charCodeAt(start + index);
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      if (unit !== 45) return false;
    } else if (!isHexadecimal(unit)) return false;
  }
  return true;
}

function isHexadecimal(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 102);
}
