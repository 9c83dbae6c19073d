/** Comments and reactions, under every fault at each request. */
import {COMMENTS, proveVerbs} from "./fault-cases.ts";

proveVerbs(COMMENTS);
