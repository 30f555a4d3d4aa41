/** What the migration to structured connections leaves to do (§5.2, §9). A fix begins with the number of the migration rule that it belongs to. */
import type { RuleFamily } from "./rule.js";

export const MIGRATION_RULES = {
  "migration-sdk-old": {
    severity: "warning",
    section: "§9",
    message: 'The project asks for connectorcli "{range}", and so for a version below {least}.',
    fix: 'Rule 1: ask for "{wanted}", and run npm install.',
  },
  "migration-sdk-unstated": {
    severity: "warning",
    section: "§9",
    message: "package.json does not name connectorcli as a dependency.",
    fix: 'Rule 1: add "connectorcli": "{wanted}", and run npm install.',
  },
  "migration-by-hand": {
    severity: "warning",
    section: "§5.2",
    message: "{what} can't be moved by the tool: {reason}.",
    fix: 'Rule 5: declare it in the connection "{connection}", then remove it here.',
  },
  "migration-environment-left": {
    severity: "warning",
    section: "§2.1",
    message:
      'The connection "{connection}" still asks for an environment, although its address is a property now.',
    fix: "Take connectionEnvironment out of its properties, unless connections have been made with it already.",
  },
  "migration-reads-configuration": {
    severity: "warning",
    section: "§5.2",
    message: '"{code}" reads a credential or an address from a configuration.',
    fix: "Rule 5: read it from the connection: in the auth handler, or where the client helper makes the API client.",
  },
  "migration-reads-environment": {
    severity: "warning",
    section: "§5.2",
    message: '"{code}" reads a credential or an address from the environment.',
    fix: "Rule 5: declare it in the connection definition, and read it from the connection.",
  },
  "migration-makes-client": {
    severity: "warning",
    section: "§5.2",
    message: '"{code}" makes a client.',
    fix: "Rule 3: remove it; createClient in client/client-helper.ts makes the API client.",
  },
  "migration-calls-directly": {
    severity: "warning",
    section: "§5.2",
    message: '"{code}" calls the target system without the API client.',
    fix: "Rule 4: call the client of the context that readers and handlers are given.",
  },
  "migration-client-configured": {
    severity: "warning",
    section: "§5.2",
    message: 'The constructor of "{name}" takes a configuration.',
    fix: "Rule 6: let it take the HTTP client and the base address instead.",
  },
  "migration-authorizes": {
    severity: "warning",
    section: "§5.2",
    message: "An Authorization header is set here.",
    fix: "Rule 7: move it to the auth handler of the connection in client/.",
  },
} as const satisfies RuleFamily;
