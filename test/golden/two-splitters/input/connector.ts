/** Display names split before every capital, url parts keep acronyms together; both can be overridden. */
import { type DataObjectOptions, defineConnector, defineDataObject, defineModule, Type } from "connectorcli";

const shape = { id: Type.String() };
type Options = Partial<DataObjectOptions<ReturnType<typeof Type.Object<typeof shape>>>>;

const object = (name: string, options: Options = {}) =>
  defineDataObject(name, {
    description: "",
    primaryKey: "id",
    ...options,
    properties: shape,
  });

export const connector = defineConnector("TwoSplitters", {
  key: "two-splitters",
  urlPart: "splitters",
  description: "",
  connections: [],
  modules: [
    defineModule("PushDatasets", {
      key: "push",
      urlPart: "push-datasets",
      version: 3,
      description: "",
      dataObjects: [
        object("PCO"),
        object("PCOs"),
        object("SignalR"),
        object("Schedulesv2"),
        // A title takes the place of the display name only.
        object("ExtensionItem", { title: "Extension" }),
        object("Order", { urlPart: "orders.v1" }),
        object("Invoice", { urlPart: "invoices", key: "invoice", createEndpoint: false }),
      ],
    }),
  ],
});
