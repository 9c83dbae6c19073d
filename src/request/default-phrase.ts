/** Defaults of the inputs about triggers, in a separate file because the command line needs them early. */

/** Each of these words calls Assay. */
export const DEFAULT_PHRASE = "/assay @assay";

/** The label that gives an issue to Assay. */
export const DEFAULT_LABEL = "assay";
