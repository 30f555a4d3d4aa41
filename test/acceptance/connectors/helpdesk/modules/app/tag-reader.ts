/** Lists every tag that has changed since the last run, and those that were deleted. */
import { answer, defineReader } from "connectorcli/runtime";
import { Tag, type TagJson } from "../../generated/app/tag.js";

interface Answer {
  readonly tags: readonly TagJson[];
  readonly links: { readonly next: string | null };
}

export const tagReader = defineReader(Tag, {
  list: "GET /tags",
  answer: answer<Answer>(),
  items: "tags",
  pages: { kind: "link", next: "links.next", size: { send: "limit", value: 50 } },
  since: { property: "changed_at", send: "changed_after" },
  deleted: {
    list: "GET /tags/deleted",
    items: "tags",
    pages: { kind: "link", next: "links.next", size: { send: "limit", value: 50 } },
    since: { send: "deleted_after" },
  },
  full: { every: "P7D" },
});
