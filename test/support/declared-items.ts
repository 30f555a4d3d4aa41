/** Items as a declared reader lists them, in any kind of pages, with and without parents. */
import { type RecordMethods, typedRecord } from "../../runtime/codegen/index.js";
import {
  type AnyReaderDeclaration,
  type DeclaredReader,
  defineReader,
  from,
} from "../../runtime/entries/runtime.js";
import { ITEM, type Item } from "./item-cache.js";
import { FORMS, type PagedForm } from "./paged-server.js";

class ItemClass extends typedRecord<object, Item, RecordMethods<Item>>(ITEM) {}

/** The forms of `FORMS` by any name. */
export const FORMS_BY_NAME: Readonly<Record<string, PagedForm>> = FORMS;

/** A reader of `/items` in these pages. */
export function readerOf(
  { pages }: Pick<PagedForm, "pages">,
  more: Partial<AnyReaderDeclaration> = {},
): DeclaredReader<Item> {
  return defineReader(ItemClass, { list: "GET /items", items: "data", pages, ...more } as never);
}

/** A reader of `/parts/{id}` for each item of `/items`, both in these pages. */
export function partsReaderOf(
  form: Pick<PagedForm, "pages">,
  more: Partial<AnyReaderDeclaration> = {},
): DeclaredReader<Item> {
  const list = { list: "GET /parts/{parent}", path: { parent: from(readerOf(form), "id") } } as const;
  return readerOf(form, { ...list, ...more });
}
