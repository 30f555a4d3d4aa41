/** AppModule: its data objects and actions, in the platform's order. */
import { defineModule } from "connectorcli";
import { Agent } from "./agent.js";
import { Article } from "./article.js";
import { Contact, CreateContact, DeleteContact } from "./contact.js";
import { Customer } from "./customer.js";
import { Tag } from "./tag.js";
import { ChangeTicket, CreateTicket, Ticket } from "./ticket.js";

export const AppModule = defineModule("App", {
  key: "app",
  version: 1,
  description: "Tickets, customers and articles.",
  dataObjects: [Agent, Customer, Contact, Ticket, Article, Tag],
  actions: [CreateTicket, ChangeTicket, CreateContact, DeleteContact],
});
