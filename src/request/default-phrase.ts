/** The default of the `trigger-phrase` input, in a file of its own: the command line needs it before it loads anything large. */

/** Words, any of which calls Assay. */
export const DEFAULT_PHRASE = "/assay @assay";
