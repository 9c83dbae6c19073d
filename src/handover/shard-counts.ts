/** How many machines may share a plan, in a separate file: the command line needs it before it loads anything large. */

/** Each machine has its own output in the workflow. */
export const SHARDS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
