/** What a list is asked for with: its parameters, and the members of its body if it reads by POST. */
import type { SentAs } from "../../../schemas/authoring/openapi-import.js";
import type { ApiOperation, ApiParameter, ParameterPlace } from "../reading/api-description.js";
import type { Shapes } from "../reading/shapes.js";
import type { PlannedPages } from "./plan.js";
import { nameSet, plainName } from "./words.js";

/** A parameter, or a member of a body; the name of one that stands in another is the way to it: `paging.after`. */
export interface ListParameter extends Omit<ApiParameter, "in"> {
  readonly in: ParameterPlace | "body";
}

/** Members of a body that others stand in which ask for pages. */
const ENVELOPES = nameSet("paging pagination page pager pageinfo pagerequest cursor");

/** All parameters of a list, those of its body last. */
export function listParameters(list: ApiOperation, shapes: Shapes): readonly ListParameter[] {
  const { parameters, method, body } = list;
  if (method !== "POST" || body === undefined) return parameters;
  const members = [...shapes.of(body.schema).properties.values()].map(
    ({ name, required, schema }): ListParameter => ({
      ...{ name, in: "body", required, schema },
      ...{ isDeep: false, description: schema.description, pagePart: schema.pagePart, at: schema.at },
    }),
  );
  return [...parameters, ...members];
}

/** The parameters that may ask for pages: of the query, and what stands in the body or in one of its envelopes. */
export function askingParameters(list: ApiOperation, shapes: Shapes): readonly ListParameter[] {
  return listParameters(list, shapes).flatMap((parameter) => {
    const { name, schema, in: where } = parameter;
    const { properties } = shapes.of(schema);
    if (where === "query" && !parameter.isDeep) return [parameter];
    const isEnvelope = where === "body" && ENVELOPES.has(plainName(name)) && properties.size > 0;
    if (where === "body" && !isEnvelope) return [parameter];
    if (where !== "query" && where !== "body") return [];
    // `page[number]` of the one parameter `page`, and `paging.after` of the one member `paging`.
    return [...properties.values()].map((inner) => ({
      ...parameter,
      name: where === "body" ? `${name}.${inner.name}` : `${name}[${inner.name}]`,
      required: parameter.required && inner.required,
      description: inner.schema.description,
      schema: inner.schema,
      at: inner.schema.at,
    }));
  });
}

/** How a declared reader names the place of a parameter of the query or the body. */
export function sentAs({ in: where, name }: Pick<ListParameter, "in" | "name">): SentAs {
  return where === "body" ? { body: name } : name;
}

/** Names of the parameters that the paging sends; of a body, the ways into it. */
export function sentByPages(pages: PlannedPages): readonly string[] {
  return placesOf(pages).map(sentName);
}

/** Whether the paging sends something in the body. */
export function isSentInBody(pages: PlannedPages): boolean {
  return placesOf(pages).some((place) => typeof place !== "string" && "body" in place);
}

export function sentName(place: SentAs): string {
  if (typeof place === "string") return place;
  return "header" in place ? place.header : place.body;
}

function placesOf(pages: PlannedPages): readonly SentAs[] {
  const places = ["send" in pages ? pages.send : undefined, "size" in pages ? pages.size?.send : undefined];
  return places.filter((place) => place !== undefined);
}
