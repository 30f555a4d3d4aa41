/** What can be wrong with the code of readers, handlers and clients, and with what lies beside it. */
export const codeMessages = {
  "code-credential": {
    severity: "error",
    section: "§1.3",
    message: "The code holds {kind}.",
    fix: "Take it out and revoke it: who reads the code has it. Credentials belong in connection properties.",
  },
  "code-secret-literal": {
    severity: "warning",
    section: "§1.3",
    message: '"{name}" is set to a text in the code, and looks like a secret (it says "{words}").',
    fix: "Take it from a connection property; revoke it if it is real.",
  },
  "code-environment": {
    severity: "error",
    section: "§1.3",
    message: "A module of the connector reads the environment ({what}).",
    fix: "Settings belong in the registration configuration, credentials and addresses in a connection.",
  },
  "code-files": {
    severity: "error",
    section: "§1.3",
    message: 'A module of the connector imports "{module}", which works on files or processes.',
    fix: "Keep what has to be remembered in the checkpoint; settings belong in configurations.",
  },
  "code-standard-output": {
    severity: "warning",
    section: "§4.2",
    message: "{call} writes past the log, where nothing hides sensitive values.",
    fix: "Use the log that readers and handlers are given.",
  },
  "reader-stops-silently": {
    severity: "warning",
    section: "§2.6",
    message:
      "The reader {reader} catches an error and does not throw it: after a full read, everything that was not yielded is deleted.",
    fix: "Throw the error again, or do not catch it; retries belong in the client.",
  },
  "reader-state-kept": {
    severity: "warning",
    section: "§2.6",
    message:
      'The variable "{name}" outlives a run of the reader: the next one begins with what this one left.',
    fix: "Declare it inside the reader.",
  },
  "record-key-by-hand": {
    severity: "warning",
    section: "§2.6",
    message: 'A text begins with "{name}/", as record keys do: written by hand, it may be another record\'s.',
    fix: "Take the key from the generated class: record.key(), or the static key(record).",
  },
  "handler-cache-untouched": {
    severity: "info",
    section: "§2.7",
    message: "The handler {handler} tells no change for the cache.",
    fix: "Where it changes a record, give succeeded(...) the change as well; else nothing is to be done.",
  },
  "extract-stale": {
    severity: "warning",
    section: "§1.6",
    message: "connector.json is not what the schema modules give.",
    fix: "Run: connectorcli extract",
  },
  "object-vanished": {
    severity: "warning",
    section: "§1.6",
    message: "{what} stands in connector.json, but is no longer part of the connector.",
    fix: "If it is only listed under a condition, list it always. If it was removed on purpose, run: connectorcli extract",
  },
} as const;
