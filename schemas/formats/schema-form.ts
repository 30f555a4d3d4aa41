/** How a schema is written in `connector.json`, where that is not the usual form. It says nothing of the values. */
import { isJsonArray, type JsonMember, type JsonTree } from "../json.js";

/** The form of one schema. What it does not list follows in the usual order. */
export interface SchemaForm {
  /**
   * The names of its keywords in the order in which they are written. Of a union it says `oneOf` or `anyOf`, of a
   * literal `const`: so is it written then. @default type, shape, then annotations as they stand in the code
   */
  readonly keywords?: readonly string[];
  /** The members of `type` in their order. @default null last */
  readonly type?: readonly string[];
  /** The names in `required` in their order. @default the order of the properties */
  readonly required?: readonly string[];
}

/** `members`, which are in the usual form, in the form `form`. */
export function membersInForm(members: readonly JsonMember[], form: SchemaForm): readonly JsonMember[] {
  const arranged = members.map(([name, value]): JsonMember => {
    const order = name === "type" || name === "required" ? form[name] : undefined;
    return [name, order !== undefined && isJsonArray(value) ? inOrder(value, order) : value];
  });
  const { keywords = [] } = form;
  const first = keywords.flatMap((keyword) => arranged.filter(([name]) => name === keyword));
  return [...first, ...arranged.filter(([name]) => !keywords.includes(name))];
}

function inOrder(values: readonly JsonTree[], order: readonly string[]): readonly JsonTree[] {
  const first = order.filter((name) => values.includes(name));
  return [...first, ...values.filter((value) => typeof value !== "string" || !order.includes(value))];
}

/** The form that makes `written` of `usual`; undefined if they are in one order. It can fail where they differ otherwise. */
export function formBetween(
  usual: readonly JsonMember[],
  written: readonly JsonMember[],
): SchemaForm | undefined {
  const keywords = written.map(([name]) => name);
  const type = changedList("type", usual, written);
  const required = changedList("required", usual, written);
  const form = {
    ...(keywords.join("\n") !== usual.map(([name]) => name).join("\n") && { keywords }),
    ...(type && { type }),
    ...(required && { required }),
  };
  return Object.keys(form).length === 0 ? undefined : form;
}

function changedList(
  keyword: string,
  usual: readonly JsonMember[],
  written: readonly JsonMember[],
): readonly string[] | undefined {
  const [before, after] = [usual, written].map((members) => members.find(([name]) => name === keyword)?.[1]);
  if (!isJsonArray(before) || !isJsonArray(after) || JSON.stringify(before) === JSON.stringify(after)) return;
  return after.every((name) => typeof name === "string") ? (after as readonly string[]) : undefined;
}
