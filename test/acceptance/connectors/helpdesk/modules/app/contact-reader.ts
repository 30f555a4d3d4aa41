/** Lists the contacts of every customer. */
import { answer, defineReader, from } from "connectorcli/runtime";
import { Contact, type ContactJson } from "../../generated/app/contact.js";
import { customerReader } from "./customer-reader.js";

export const contactReader = defineReader(Contact, {
  list: "GET /customers/{customerId}/contacts",
  path: { customerId: from(customerReader, "id") },
  answer: answer<readonly ContactJson[]>(),
  items: "$",
  pages: { kind: "linkHeader", size: { send: "per_page", value: 50 } },
  // A customer may go while its contacts are read.
  absent: [404],
});
