/** Removes a contact from a customer. */
import { defineHandler, input } from "connectorcli/runtime";
import { DeleteContact } from "../../generated/app/contact.js";

export const deleteContactHandler = defineHandler(DeleteContact, {
  call: "DELETE /customers/{customerId}/contacts/{id}",
  path: { customerId: input("customer_id"), id: input("id") },
  change: "delete",
});
