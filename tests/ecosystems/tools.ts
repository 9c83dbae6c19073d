/** Where the tests find the tools of the ecosystems: on the machine, in what `.ci/tools` installed, or in this package. */
import {homedir} from "node:os";
import {delimiter, join} from "node:path";
import {isProgram} from "../../src/process/isolation.ts";

const root = join(import.meta.dirname, "../..");
const own = process.env["ASSAY_TEST_TOOLS"] ?? join(homedir(), ".cache/assay-test-tools");

/** PATH with all of them, for the product as for the tests. */
export const TOOLS_PATH = [
  join(own, "node_modules/.bin"),
  join(own, "python/bin"),
  join(own, "bin"),
  process.env["PATH"] ?? "",
  join(root, "node_modules/.bin"),
].join(delimiter);

/** Node 20.19, the oldest that the command line runs on, where `.ci/tools` could install it. */
const node20 = join(own, "node_modules/node-20/bin/node");
export const NODE_20 = isProgram(node20) ? node20 : null;

/** The programs of a list that are on none of these folders. */
export function missing(programs: readonly string[]): string[] {
  return programs.filter((program) => !TOOLS_PATH.split(delimiter).some((folder) => isProgram(join(folder, program))));
}
