/** The forms in which a secret shows up in texts: as it is, quoted, percent-encoded, in base64. */

/** Base64 of a text with fewer bytes has too few letters of its own to be told from others. */
const FEWEST_BYTES = 4;

/** Every text that gives `secret` away, and the letters of it in texts of base64. */
export function formsOf(secret: string): {
  readonly plain: readonly string[];
  readonly base64: readonly string[];
} {
  const texts = [secret, secret.trim(), ...longLines(secret)];
  const quoted = texts.flatMap((text) => [text, inQuotes(text), inQuotes(inQuotes(text))]);
  const encoded = texts.flatMap((text) => percentForms(text).flatMap((form) => [form, inOtherCase(form)]));
  return { plain: [...quoted, ...encoded], base64: texts.flatMap(base64Forms) };
}

/** A private key is often printed line by line. */
function longLines(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/);
  return lines.length === 1 ? [] : lines.map((line) => line.trim()).filter((line) => line.length >= 16);
}

function inQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function percentForms(secret: string): readonly string[] {
  const text = secret.toWellFormed();
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, hex);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  return [component, strict, form, encodeURI(text), encodeURIComponent(component)];
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function inOtherCase(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/**
 * The letters that a secret has in base64 wherever it stands in the encoded bytes, such as behind a user name: of its
 * three positions those that it alone decides.
 */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < FEWEST_BYTES) return [];
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64url");
    const end = Math.floor(((shift + bytes.length) * 8) / 6);
    const own = text.slice(Math.ceil((shift * 8) / 6), end);
    return [own, own.replace(/-/g, "+").replace(/_/g, "/")];
  });
}
