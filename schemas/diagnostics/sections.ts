/** The reasons behind the rules: each section of `docs/interface.md` that findings name, in a sentence or two. */

export interface SectionReason {
  readonly title: string;
  readonly why: string;
}

const SECTIONS: Readonly<Record<string, SectionReason>> = {
  "§1.2": {
    title: "What a connector is made of",
    why: "The platform reads one connector from its definitions; a value of another kind can't be read at all.",
  },
  "§1.3": {
    title: "Credentials and addresses",
    why: "A connection is the only place that keeps secrets apart from code and settings, and that a user can change.",
  },
  "§1.5": {
    title: "The connection test",
    why: "A platform calls it before anything else: without one nobody can tell whether what a user has entered works.",
  },
  "§1.6": {
    title: "connector.json",
    why: "This file is what is submitted: if it is not what the modules say, something else runs than was reviewed.",
  },
  "§1.7": {
    title: "What a submission must contain",
    why: "Missing or improper parts are the usual reasons why a connector is rejected.",
  },
  "§2.1": {
    title: "Connection definitions",
    why: "Users fill in a connection by its titles and descriptions; what is not marked as sensitive is shown to them.",
  },
  "§2.2": {
    title: "Connection container",
    why: "A connector is run with the connection that a workspace has: what does not fit its definition reaches no target system.",
  },
  "§2.3": {
    title: "Registration configuration",
    why: "What a workspace can set stands here: a setting that nobody can fill in ends every run that asks for it.",
  },
  "§2.6": {
    title: "Data objects and their keys",
    why: "A record is kept under its key: without a reliable one, records overwrite each other, or disappear from the cache.",
  },
  "§2.7": {
    title: "Actions",
    why: "An action belongs to a data object, and reports to the cache what it has changed there.",
  },
  "§2.8": {
    title: "Configurations",
    why: "People who run a connector switch its parts on and off, and set it up, by what its configurations say.",
  },
  "§2.9": {
    title: "Schemas of values",
    why: "Others build with schemas: values are shown by them, validated against them, and hidden where they say so.",
  },
  "§2.10": {
    title: "Types without a fixed shape",
    why: "If a schema says nothing about a value, nobody can map it, and nothing checks it.",
  },
  "§4.1": {
    title: "Commands",
    why: "A command does all of its work or none of it, and says what stopped it.",
  },
  "§4.2": {
    title: "What handlers are given",
    why: "The log that is handed to readers and handlers hides sensitive values; other output does not.",
  },
  "§4.3": {
    title: "Results of a connection test",
    why: "Users believe what the test says of what they have entered: a wrong yes or no sends them to look in the wrong place.",
  },
  "§5.1": {
    title: "Authentication",
    why: "How a connector signs in decides what its users must enter.",
  },
  "§5.2": {
    title: "Migration",
    why: "A connector that keeps credentials and addresses beside its connection can't be tested, and shows what should be hidden.",
  },
  "§9": {
    title: "Versions",
    why: "Structured connections came with version 1.3.3; an older one does not know them.",
  },
};

/** The reason behind a section; undefined if no finding names it. */
export function reasonOf(section: string): SectionReason | undefined {
  return SECTIONS[section];
}

/** The section's place in `docs/`, relative to that folder: `interface.md#s2-6` for `§2.6`. */
export function sectionLink(section: string): string {
  return `interface.md#s${section.replace("§", "").replaceAll(".", "-")}`;
}
