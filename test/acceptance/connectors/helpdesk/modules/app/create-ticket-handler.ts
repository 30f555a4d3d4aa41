/** Opens a ticket. */
import { answer, answered, defineHandler, rest } from "connectorcli/runtime";
import { CreateTicket, type TicketJson } from "../../generated/app/ticket.js";

export const createTicketHandler = defineHandler(CreateTicket, {
  call: "POST /tickets",
  body: { ticket: rest },
  answer: answer<{ readonly ticket: TicketJson }>(),
  record: "ticket",
  change: "upsert",
  idempotency: { header: "Idempotency-Key" },
  failures: { 422: { code: "invalid", text: answered("error.message") } },
});
