/** One measured process of bench/specs.mjs: ranks the specs of its folder, or only reads the same files. */
import {openProject} from "../src/detect/files/open-project.ts";
import {findSpecs} from "../src/specs/find-specs.ts";
import {scoreByTfIdf} from "../src/specs/scorers/tf-idf.ts";

const [kind] = process.argv.slice(2);
const project = await openProject(process.cwd());
const specs = findSpecs(project, null);
const before = process.memoryUsage().rss;
const from = performance.now();
if (kind === "rank") scoreByTfIdf("the parser keeps the position of each node babe lito", specs);
else for (const spec of specs) spec.read(16 * 1024);
const ms = performance.now() - from;
// the largest size that the kernel saw, in kilobytes
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ms, megabytes: (peak - before) / 1e6, specs: specs.length}));
