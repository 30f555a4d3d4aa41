/** Why there are rules at all: each section of the connector interface document that findings name, in a sentence or two. */

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
  "§1.6": {
    title: "connector.json",
    why: "What is submitted is this file: where it is not what the modules say, other things run than were reviewed.",
  },
  "§1.7": {
    title: "What a submission must hold",
    why: "Missing or improper parts are the usual reasons for which a connector is rejected.",
  },
  "§2.1": {
    title: "Connection definitions",
    why: "Users fill in a connection by its titles and descriptions; what is not marked as sensitive is shown to them.",
  },
  "§2.6": {
    title: "Data objects and their keys",
    why: "A record is kept under its key: without a sound one, records overwrite each other, or vanish from the cache.",
  },
  "§2.7": {
    title: "Actions",
    why: "An action belongs to a data object, and tells the cache what it has changed there.",
  },
  "§2.8": {
    title: "Configurations",
    why: "People who run a connector switch its parts on and off, and set it up, by what its configurations say.",
  },
  "§2.9": {
    title: "Schemas of values",
    why: "Schemas are what others build with: they are shown, validated against, and tell what must be hidden.",
  },
  "§2.10": {
    title: "Types without a fixed shape",
    why: "Where a schema says nothing of a value, nobody can map it, and nothing checks it.",
  },
  "§4.1": {
    title: "Commands",
    why: "Commands do all of their work or none of it, and say what stopped them.",
  },
  "§4.2": {
    title: "What handlers are given",
    why: "The log that is handed to readers and handlers hides sensitive values; other ways out do not.",
  },
  "§5.1": {
    title: "Authentication",
    why: "The way in which a connector signs in decides what its users are asked for.",
  },
};

/** The reason behind a section; undefined for one that no finding names. */
export function reasonOf(section: string): SectionReason | undefined {
  return SECTIONS[section];
}
