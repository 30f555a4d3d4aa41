/** Takes secrets out of text that others wrote, in the forms in which they travel. */
import { HIDDEN } from "../../runtime/validation/finding.js";

/** Shorter texts are no secrets, and would be found everywhere. */
const SHORTEST = 4;

/** A function that puts `--hidden value--` in the place of every secret. @param names Texts that secrets are sent with, as user names. */
export function hiding(secrets: Iterable<string>, names: Iterable<string> = []): (text: string) => string {
  const users = [...names];
  const forms = new Set<string>();
  for (const secret of [...secrets].flatMap((text) => [text, ...text.split(/\r?\n/)])) {
    if (secret.length < SHORTEST) continue;
    const pairs = ["", ...users].flatMap((name) => [`${name}:${secret}`, `${secret}:${name}`]);
    const encoded = [secret, ...pairs].map((text) => Buffer.from(text).toString("base64"));
    const inAddress = encodeURIComponent(secret.toWellFormed());
    const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), inAddress, inForm, ...encoded])
      forms.add(form);
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((hidden, form) => hidden.replaceAll(form, HIDDEN), text);
}
