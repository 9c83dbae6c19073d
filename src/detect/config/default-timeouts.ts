/** Default time limits in seconds. */
import type {StageKind} from "../../record/words.ts";

export const TIMEOUTS = {typecheck: 120, lint: 60, test: 300, build: 300, check: 600} as const satisfies Record<
  StageKind,
  number
>;
export const SETUP_TIMEOUT = 600;
