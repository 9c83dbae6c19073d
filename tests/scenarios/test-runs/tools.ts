/** All cases, by tool. */
import {JEST, MOCHA} from "./common-js.ts";
import {CARGO, GO} from "./compiled.ts";
import {NODE_TEST, VITEST} from "./modules.ts";
import {PYTEST, UNITTEST} from "./python.ts";

export const TEST_RUN_TOOLS = [NODE_TEST, VITEST, JEST, MOCHA, PYTEST, UNITTEST, GO, CARGO];
