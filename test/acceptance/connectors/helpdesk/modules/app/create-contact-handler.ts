/** Adds a contact to a customer. The help desk knows no idempotency keys, but keeps a reference. */
import { actionKey, answer, defineHandler, input, rest } from "connectorcli/runtime";
import { type ContactJson, CreateContact } from "../../generated/app/contact.js";

export const createContactHandler = defineHandler(CreateContact, {
  call: "POST /customers/{customerId}/contacts",
  path: { customerId: input("customer_id") },
  body: { ...rest, reference: actionKey },
  answer: answer<ContactJson>(),
  record: "$",
  change: "upsert",
  idempotency: {
    lookUp: {
      call: "GET /contacts",
      query: { reference: actionKey },
      items: "data",
      where: { reference: actionKey },
    },
  },
});
