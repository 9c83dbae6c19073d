/** The default of the `trigger-phrase` input, in a separate file because the command line needs it early. */

/** Each of these words calls Assay. */
export const DEFAULT_PHRASE = "/assay @assay";
