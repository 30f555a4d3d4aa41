/** Rules of configurations: no credentials and no addresses (§1.3), a title for each property, a switch for each part (§2.8). */
import type { CheckRules } from "../../diagnostics/codes.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { findingsOf, PART_NAMES, within } from "../../diagnostics/locations.js";
import {
  actionNameExample,
  cacheWriterExample,
  registrationExample,
  settingExample,
} from "../../diagnostics/rules/example-code.js";
import type { ConnectorModel } from "../../model/connector-model.js";
import { lettersOf, serviceSwitches } from "../../model/switches.js";
import { ADDRESS_NAMES, CREDENTIAL_NAMES, matchedPhrase, SECRET_NAMES } from "../../naming/secret-names.js";
import { actionSwitchName } from "../../naming/service-names.js";
import { type LocatedModule, modulesOf, serviceLocation } from "../visit/model-parts.js";
import { isLeaf, stringKeyword, type VisitedSchema } from "../visit/schema-visitor.js";

export const CONFIGURATION_RULES = {
  "registration-credential": {
    severity: "error",
    section: "§1.3",
    message: '{what} holds a credential (its name says "{words}").',
    fix: "Move it into a connection definition.",
    isSilenceable: true,
    example: settingExample("clientSecret", "status"),
  },
  "registration-address": {
    severity: "error",
    section: "§1.3",
    message: '{what} holds an address of the target system (its name says "{words}").',
    fix: "Move it into a connection definition.",
    isSilenceable: true,
    example: settingExample("baseUrl", "status"),
  },
  "service-credential": {
    severity: "warning",
    section: "§1.3",
    message: '{what} holds a credential (its name says "{words}").',
    fix: "Move it into a connection definition; configurations are no place for secrets.",
    example: cacheWriterExample(
      'properties: { apiKey: Type.String({ title: "Key", description: "Key of the archive." }) },',
      'properties: { pageSize: Type.Integer({ title: "Page size", description: "Sites that are read at once." }) },',
    ),
  },
  "switch-missing": {
    severity: "warning",
    section: "§2.8",
    message: 'The {service} configuration of module "{module}" has no switch for "{name}".',
    fix: "Declare {field}, or remove complete, so that missing switches are added.",
    example: cacheWriterExample("properties: {},\n  complete: true,", "properties: {},"),
  },
  "switch-invalid": {
    severity: "error",
    section: "§2.8",
    message:
      'The {service} configuration of module "{module}" can\'t switch "{name}": {field} has no boolean {flag}.',
    fix: "Make {field} an object with the property {flag} of type boolean, such as {word}(), and add your own properties to it.",
    example: cacheWriterExample(
      "properties: { siteConfig: Type.Object({ uploadObject: Type.String() }) },",
      "properties: { siteConfig: Type.Object({ uploadObject: Type.Boolean() }) },",
    ),
  },
  "switch-shared": {
    severity: "error",
    section: "§2.8",
    message:
      'The action "{action}" of "{object}" and the action "{otherAction}" of "{otherObject}" in module "{module}" would share the switch {field}.',
    fix: "Give one of the two actions or data objects another name: the switch is called after both.",
    example: actionNameExample('"Create"', '"Open"'),
  },
  "title-missing": {
    severity: "warning",
    section: "§2.8",
    message: "{what} has no title.",
    fix: "Give it the title that a person who configures the service should read.",
    example: registrationExample(
      'status: Type.String({ description: "Sites to read." }),',
      'status: Type.String({ title: "Status", description: "Sites to read." }),',
    ),
  },
} as const satisfies CheckRules;

const findingAt = findingsOf(CONFIGURATION_RULES);

/** Checks that a value of the registration configuration does not belong in a connection; at most one finding. */
export function checkRegistration(visited: VisitedSchema): readonly Diagnostic[] {
  const { role, position, isCondition, location, jsonName } = visited;
  if (role !== "registration" || position !== "property" || isCondition || !isLeaf(visited)) return [];
  const { what } = location;
  const credential = matchedPhrase(jsonName, CREDENTIAL_NAMES);
  if (credential !== undefined)
    return [findingAt("registration-credential", location, { what, words: credential })];
  const address = matchedPhrase(jsonName, ADDRESS_NAMES);
  return address === undefined ? [] : [findingAt("registration-address", location, { what, words: address })];
}

/** Checks that the configuration of a service holds no secret. */
export function checkServiceSecret(visited: VisitedSchema): readonly Diagnostic[] {
  const { role, position, isCondition, location, jsonName } = visited;
  if (role !== "service" || position !== "property" || isCondition || !isLeaf(visited)) return [];
  const words = matchedPhrase(jsonName, SECRET_NAMES);
  return words === undefined
    ? []
    : [findingAt("service-credential", location, { what: location.what, words })];
}

/** Checks that a property of a configuration has a title. */
export function checkTitle(visited: VisitedSchema): readonly Diagnostic[] {
  const { role, position, isCondition, location, view, definition } = visited;
  const isConfiguration = role === "registration" || role === "service";
  if (!isConfiguration || position !== "property" || isCondition || isPlatformSwitch(visited)) return [];
  const title = stringKeyword(view, "title") ?? (definition && stringKeyword(definition, "title")) ?? "";
  return title.trim() === "" ? [findingAt("title-missing", location, { what: location.what })] : [];
}

/** Checks that the configurations of a module have a switch for each data object and action, and that it can be on. */
export function checkSwitches(model: ConnectorModel): readonly Diagnostic[] {
  return modulesOf(model).flatMap((located) => [
    ...sharedSwitches(located),
    ...switchFindings(located, 0),
    ...switchFindings(located, 1),
  ]);
}

/** Names of actions and data objects that are put together to one name. */
function sharedSwitches({ module, objects }: LocatedModule): readonly Diagnostic[] {
  const actions = objects.flatMap(({ object, actions: own }) =>
    own.map(({ action, location }) => ({ object, action, location })),
  );
  return actions.flatMap(({ object, action, location }, index) => {
    const field = actionSwitchName(action.name, object.name);
    const other = actions
      .slice(0, index)
      .find((before) => actionSwitchName(before.action.name, before.object.name) === field);
    if (other === undefined || other.action.name === action.name) return [];
    const parts = { action: action.name, object: object.name, module: module.name, field };
    const others = { otherAction: other.action.name, otherObject: other.object.name };
    return [findingAt("switch-shared", location, { ...parts, ...others })];
  });
}

function switchFindings(located: LocatedModule, index: 0 | 1): readonly Diagnostic[] {
  const service = located.module.services[index];
  const location = serviceLocation(located, index);
  const parts = { service: service.type, module: located.module.name };
  const objects = located.objects.map(({ object }) => object);
  const switches = serviceSwitches(service, objects);
  return switches.flatMap(
    ({ object, action, switchName, property, flag, flagName }): readonly Diagnostic[] => {
      const name = `${action?.name ?? ""}${object.name}`;
      if (property === undefined)
        return [findingAt("switch-missing", location, { ...parts, name, field: switchName })];
      if (flag?.schema.kind === "boolean") return [];
      const word = action === undefined ? "CacheWriterObjectConfig" : "DefaultActionHandlerConfig";
      const at = within(location, {
        what: PART_NAMES.property(property.jsonName, location.what),
        pointer: ["properties", property.jsonName],
        path: ["properties", property.name],
      });
      const texts = { ...parts, name, field: property.jsonName, flag: flag?.jsonName ?? flagName, word };
      return [findingAt("switch-invalid", at, texts)];
    },
  );
}

/** Fields of `CacheWriterObjectConfig`, `DefaultActionHandlerConfig` and of incremental readers. */
const FLAGS = new Set(["uploadobject", "processqueuedevent", "enablemodifiedsince", "checkpoint"]);

/** Whether this is a switch to which its author added nothing, or a flag of a switch: the platform brings its words. */
export function isPlatformSwitch({ role, position, jsonName, view }: VisitedSchema): boolean {
  if (role !== "service" || position !== "property") return false;
  if (isFlag(jsonName)) return true;
  return (
    view.keywords.size === 0 &&
    view.properties.length > 0 &&
    view.properties.every((property) => isFlag(property.jsonName))
  );
}

function isFlag(name: string): boolean {
  return FLAGS.has(lettersOf(name));
}
