/** Node's own, of all tests: https://nodejs.org/api/module.html#module-compile-cache */
import {tmpdir} from "node:os";
import {join} from "node:path";

export const COMPILE_CACHE = join(tmpdir(), "assay-test-compile-cache");
