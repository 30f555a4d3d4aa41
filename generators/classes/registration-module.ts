/** The wiring of a connector: every data object wants its reader, every action its handler, or it does not compile. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { actionSwitchName, objectSwitchName } from "../../schemas/naming/service-names.js";
import { render } from "../render.js";
import type { ModuleNames, ObjectNames } from "../schema-modules/project-names.js";
import { stringLiteral } from "../typescript/literals.js";
import { GeneratedModule } from "./generated-module.js";

/** Where things are generated, for imports. */
export interface GeneratedPlaces {
  readonly connections: readonly {
    readonly identifier: string;
    readonly key: string;
    readonly specifier: string;
  }[];
  readonly modules: readonly {
    readonly names: ModuleNames;
    readonly configuration: string;
    readonly specifierOf: (object: ObjectNames) => string;
  }[];
}

/** `generated/registration.ts`. */
export function registrationModule(model: ConnectorModel, places: GeneratedPlaces) {
  const module = new GeneratedModule(
    "generated/registration.ts",
    "The wiring of the connector: readers and handlers.",
  );
  module.uses.add("type ConnectorClient").add("type ConnectorRegistration");
  module.import("RegistrationConfiguration", "./registration-configuration.js");
  for (const { identifier, specifier } of places.connections) module.import(identifier, specifier);
  const modules = places.modules.map((place) => moduleView(place, module));
  const anyObjects = modules.some(({ objects }) => objects.length > 0);
  const view = {
    of: clientParameter(modules.length > 0),
    name: stringLiteral(model.name),
    key: stringLiteral(model.key),
    modules,
    // A connector without data objects needs nothing of its author.
    parameter: anyObjects ? "services" : "_services",
    connections: places.connections.map(({ identifier, key }) => ({ identifier, key: stringLiteral(key) })),
  };
  module.state(render("registration.ts", view).trimEnd());
  return module.file();
}

function moduleView(
  { names, configuration, specifierOf }: GeneratedPlaces["modules"][number],
  module: GeneratedModule,
) {
  const prefix = names.identifier;
  for (const name of ["ActionProcessorConfiguration", "CacheWriterConfiguration"]) {
    module.import(`${name} as ${prefix}${name}`, configuration);
  }
  const objects = names.objects.map((object) => objectView(object, prefix, specifierOf(object), module));
  return {
    of: clientParameter(objects.length > 0),
    identifier: prefix,
    id: stringLiteral(names.model.id),
    objects,
    actions: objects.flatMap(({ actions }) => actions),
  };
}

/** The API client's type; one that nothing uses compiles under such a name only. */
function clientParameter(isUsed: boolean): string {
  return isUsed ? "<Client>" : "<_Client>";
}

/** Identifiers are imported under the module's name: two modules may have objects of one name. */
function objectView(object: ObjectNames, prefix: string, specifier: string, module: GeneratedModule) {
  const { model, identifier } = object;
  const alias = `${prefix}_${identifier}`;
  module.import(`${identifier} as ${alias}`, specifier);
  module.import(`type ${identifier}Json as ${alias}Json`, specifier);
  const reader = model.readerType === "full" ? "FullReader" : "IncrementalReader";
  module.uses.add(`type ${reader}`);
  return {
    identifier,
    alias,
    reader,
    name: stringLiteral(model.className),
    urlPart: stringLiteral(model.urlPart),
    dataPath: stringLiteral(model.dataPath),
    readerType: stringLiteral(model.readerType),
    switchName: stringLiteral(objectSwitchName(model.className)),
    actions: object.actions.map((action) => {
      const actionAlias = `${prefix}_${action.identifier}`;
      module.uses.add("type ActionHandler");
      for (const part of ["Input", "Output", "Failure"]) {
        module.import(`${action.identifier}${part} as ${actionAlias}${part}`, specifier);
        if (part !== "Input") {
          module.import(`type ${action.identifier}${part}Json as ${actionAlias}${part}Json`, specifier);
        }
      }
      return {
        identifier: action.identifier,
        alias: actionAlias,
        name: stringLiteral(action.model.className),
        urlPart: stringLiteral(action.model.urlPart),
        dataObject: stringLiteral(model.className),
        switchName: stringLiteral(actionSwitchName(action.model.className, model.className)),
      };
    }),
  };
}
