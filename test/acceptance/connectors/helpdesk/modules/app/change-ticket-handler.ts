/** Changes a ticket. */
import { answer, defineHandler, input, rest } from "connectorcli/runtime";
import { ChangeTicket, type TicketJson } from "../../generated/app/ticket.js";

export const changeTicketHandler = defineHandler(ChangeTicket, {
  call: "PATCH /tickets/{id}",
  path: { id: input("id") },
  body: { ticket: rest },
  answer: answer<{ readonly ticket: TicketJson }>(),
  record: "ticket",
  change: "upsert",
});
