/** The readers and handlers of AppModule. */
import type { ApiClient } from "../../client/api-client.js";
import type { AppModuleServices } from "../../generated/registration.js";
import { agentReader } from "./agent-reader.js";
import { articleReader } from "./article-reader.js";
import { changeTicketHandler } from "./change-ticket-handler.js";
import { contactReader } from "./contact-reader.js";
import { createContactHandler } from "./create-contact-handler.js";
import { createTicketHandler } from "./create-ticket-handler.js";
import { customerReader } from "./customer-reader.js";
import { deleteContactHandler } from "./delete-contact-handler.js";
import { tagReader } from "./tag-reader.js";
import { ticketReader } from "./ticket-reader.js";

export const appModuleServices: AppModuleServices<ApiClient> = {
  readers: {
    Agent: agentReader,
    Customer: customerReader,
    Contact: contactReader,
    Ticket: ticketReader,
    Article: articleReader,
    Tag: tagReader,
  },
  handlers: {
    CreateTicket: createTicketHandler,
    ChangeTicket: changeTicketHandler,
    CreateContact: createContactHandler,
    DeleteContact: deleteContactHandler,
  },
};
