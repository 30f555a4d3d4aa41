/** Schemas of configurations: users have filled them in (spec §2.3, §2.8). */
import type { Change } from "./change.js";
import { documentChanges } from "./document-changes.js";
import type { MatchedConnector } from "./match-parts.js";
import type { Effort } from "./witness/find-witness.js";

export function compareConfigurations(
  { old, new: next, modules }: MatchedConnector,
  effort: Effort,
): readonly Change[] {
  const role = "configuration";
  return [
    ...documentChanges(old.registrationConfiguration, next.registrationConfiguration, {
      role,
      what: "the registration configuration",
      oldPointer: "",
      newPointer: "",
      pointer: "/configSchema",
      effort,
    }),
    ...modules.flatMap((module) =>
      ([0, 1] as const).flatMap((index) =>
        documentChanges(module.old.services[index].configuration, module.new.services[index].configuration, {
          ...module,
          role,
          what: `the configuration of service ${module.new.services[index].type} of ${module.what}`,
          pointer: `/services/${index}/configSchema`,
          effort,
        }),
      ),
    ),
  ];
}
