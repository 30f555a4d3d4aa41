/** The next page in a Link header (RFC 8288). */

const LINK = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";,]*))?)*)/g;
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]*))/i;

/** The absolute address of the link with the relation `next`; undefined where there is none. */
export function nextLink(
  header: string | readonly string[] | undefined,
  current: string,
): string | undefined {
  const text = typeof header === "string" ? header : (header ?? []).join(", ");
  for (const [, target = "", parameters = ""] of text.matchAll(LINK)) {
    const [, quoted, plain] = RELATION.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next") && URL.canParse(target, current)) return new URL(target, current).href;
  }
  return undefined;
}
