/** Default time limits in seconds. */
import type {StageKind} from "../../record/words.ts";

export const TIMEOUTS: Readonly<Record<StageKind, number>> = {
  typecheck: 120,
  lint: 60,
  test: 300,
  build: 300,
  check: 600,
};
export const SETUP_TIMEOUT = 600;
