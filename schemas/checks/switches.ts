/** The switches of service configurations: one for each data object and each action (spec §2.8). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectorModel } from "../model/connector-model.js";
import { actionSwitchName, objectSwitchName } from "../naming/service-names.js";
import { modulesOf, type PlacedModule, servicePlace } from "./model-parts.js";
import { found } from "./place.js";
import { viewOf } from "./schema-view.js";

/** Switches that the configurations of the modules lack. */
export function checkSwitches(model: ConnectorModel): readonly Diagnostic[] {
  return modulesOf(model).flatMap((placed) => {
    const objects = placed.objects.map(({ object }) => object);
    const actions = objects.flatMap(({ className, actions: own }) =>
      own.map((action) => ({
        name: `${action.className}${className}`,
        field: actionSwitchName(action.className, className),
      })),
    );
    return [
      ...missingIn(placed, 0, actions),
      ...missingIn(
        placed,
        1,
        objects.map(({ className }) => ({ name: className, field: objectSwitchName(className) })),
      ),
    ];
  });
}

interface Switched {
  readonly name: string;
  readonly field: string;
}

function missingIn(placed: PlacedModule, index: 0 | 1, switched: readonly Switched[]): readonly Diagnostic[] {
  const { type, configuration } = placed.module.services[index];
  const fields = new Set(viewOf(configuration.root).properties.map(({ jsonName }) => letters(jsonName)));
  const place = servicePlace(placed, index);
  return switched
    .filter(({ field }) => !fields.has(letters(field)))
    .map(({ name, field }) =>
      found("switch-missing", place, { service: type, module: placed.module.name, name, field }),
    );
}

/** A configuration may follow any naming convention, and class names of imported objects are guessed by words. */
function letters(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}
