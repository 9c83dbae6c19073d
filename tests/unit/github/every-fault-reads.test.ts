/** What the client reads, under every fault at each request. */
import {proveVerbs, READS} from "./fault-cases.ts";

proveVerbs(READS);
