/** Lists every ticket that has changed since the last run. */
import { answer, defineReader, setting } from "connectorcli/runtime";
import { Ticket, type TicketJson } from "../../generated/app/ticket.js";

interface Answer {
  readonly tickets: readonly TicketJson[];
  readonly next_cursor: string | null;
}

export const ticketReader = defineReader(Ticket, {
  list: "GET /tickets",
  query: { department: setting("Department", { as: { All: null }, default: null }) },
  answer: answer<Answer>(),
  items: "tickets",
  pages: { kind: "cursor", send: "cursor", next: "next_cursor", size: { send: "limit", value: 100 } },
  since: { property: "updated_at", send: "updated_since", overlap: "PT2M" },
  deletedWhen: { property: "deleted_at" },
});
