/** The variable that tells `assay verify` that the stop hook of an agent started it. */
export const STOP_HOOK = "ASSAY_STOP_HOOK";
