/** The ecosystems whose tools build a library first or download one. */
import {FIXTURE_PROJECTS, SLOW_PROJECTS} from "./projects.ts";
import {proveProjects} from "./prove-projects.ts";

const projects = FIXTURE_PROJECTS.filter(({folder}) => SLOW_PROJECTS.includes(folder));
// `npm run sweep` sets it.
proveProjects(projects, {isLong: process.env["ASSAY_SWEEP"] !== undefined});
