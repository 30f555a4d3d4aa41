/** The one file that knows handlebars: a template and its view-model give text. */
import Handlebars from "handlebars";
import { templates } from "./precompiled-templates.js";

const ready = new Map<string, Handlebars.TemplateDelegate>();

/** The text of `templates/{name}.hbs` for `view`. Nothing is escaped: what goes in is code already. */
export function render(name: string, view: object): string {
  const template = ready.get(name) ?? Handlebars.template(templates[name] ?? throwUnknownTemplate(name));
  ready.set(name, template);
  return template(view);
}

function throwUnknownTemplate(name: string): never {
  throw new Error(`There is no template "${name}".`);
}
