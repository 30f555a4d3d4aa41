/** The one file that knows handlebars: a template and its view-model give text. */
import { readFileSync } from "node:fs";
import Handlebars from "handlebars";

const compiled = new Map<string, Handlebars.TemplateDelegate>();

/** The text of `templates/{name}.hbs` for `view`. Nothing is escaped: what goes in is code already. */
export function render(name: string, view: object): string {
  const known = compiled.get(name);
  if (known !== undefined) return known(view);
  const source = readFileSync(new URL(`./templates/${name}.hbs`, import.meta.url), "utf8");
  const template = Handlebars.compile(source, { strict: true, noEscape: true, knownHelpersOnly: true });
  compiled.set(name, template);
  return template(view);
}
