/** Defaults of the inputs about triggers, in a separate file because the command line needs them early. */

/** Each of these words calls Assay. */
export const DEFAULT_PHRASE = "/assay @assay";

/** The words of all commands. */
export const DEFAULT_COMMANDS =
  "/verify /continue /approve /undo /update /review /plan /setup /remember /help /status /stop";

/** The label that gives an issue to Assay. */
export const DEFAULT_LABEL = "assay";
