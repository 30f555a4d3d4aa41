/** Lists every customer. */
import { answer, defineReader } from "connectorcli/runtime";
import { Customer, type CustomerJson } from "../../generated/app/customer.js";

interface Answer {
  readonly customers: readonly CustomerJson[];
  readonly meta: { readonly total: number };
}

export const customerReader = defineReader(Customer, {
  list: "GET /customers",
  answer: answer<Answer>(),
  items: "customers",
  pages: { kind: "page", send: "page", total: "meta.total", size: { send: "per_page", value: 50 } },
});
