/** The possible numbers of machines for a plan, in a separate file, because the command line needs it early. */

/** Each machine has its own output in the workflow. */
export const SHARDS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
