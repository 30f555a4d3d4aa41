/** The variable that has the text of the key by which a store, or the settings of a workspace, are sealed. */
export const KEY_VARIABLE = "CONNECTORCLI_KEY";
