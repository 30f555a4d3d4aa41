/** The names of the scenarios of the acceptance suite, with what each of them shows. */

/** What each scenario shows. */
export const ACCEPTANCE_SCENARIOS = Object.freeze({
  connection: "The connection test lets right credentials in, and no wrong ones.",
  whole: "A read brings every record, as it is, from no pages, one or many.",
  again: "A second read of the same records changes nothing.",
  stopped: "A read that is stopped anywhere loses nothing, and the next one ends as if it had not been.",
  faults:
    "Whatever goes wrong in the middle of a list, nothing is deleted for it, and no success is said that is none.",
  shift: "Records that move up while a list is read are not lost.",
  rate: "Where the target system asks to be left alone for a while, it is, and the read ends well.",
  changes:
    "Whatever changes in the target system comes into the cache, and what has not changed is not read again.",
  unfit: "A record that does not fit its schema is kept aside, and all others are read.",
  beside: "What is read for one tenant does not come to another one in the same process.",
  elsewhere: "Credentials are sent to the target system only, wherever its links lead.",
  settings: "Every setting changes what is asked for or kept, and what is switched off is not read.",
  performed:
    "What an action changes is in the target system, in the cache at once, and the same in the next read.",
  twice: "An action whose answer gets lost is tried again, and is still done once.",
  busy: "An action that meets a target system that is busy for a moment is tried again.",
  refused: "An action that fails is not called a success, and changes nothing in the cache.",
});

/** The name of a scenario. */
export type ScenarioName = keyof typeof ACCEPTANCE_SCENARIOS;

/** What each scenario shows that is tried at a real target system. */
export const LIVE_SCENARIOS = Object.freeze({
  connection: "The connection test lets right credentials in, and no wrong ones.",
  whole: "A read ends well, waits for its calls, and sends nothing that could change the target system.",
  again:
    "A second read of the same answers gives the same records, and one of the target system leaves none out.",
  stopped: "A read that is stopped anywhere loses nothing, and the next one ends as if it had not been.",
  faults:
    "Whatever goes wrong on the way of an answer, nothing is deleted for it, and no success is said that is none.",
  rate: "After an answer 429 the target system is left alone as long as it asks, and the read ends well.",
  changes: "A read of what has changed leaves the cache as a read of everything would.",
  unfit: "A record that does not fit its schema is kept aside, and all others are read.",
  elsewhere: "Credentials are sent to the target system only, wherever its links lead.",
  settings: "What is switched off is not read.",
} satisfies Partial<Record<ScenarioName, string>>);

/** The name of such a scenario. */
export type LiveScenarioName = keyof typeof LIVE_SCENARIOS;
