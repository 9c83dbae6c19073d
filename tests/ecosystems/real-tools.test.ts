/** Each ecosystem with its real tool; without a sweep, a few that differ most from each other. */
import {isSweep} from "../sweep.ts";
import {FIXTURE_PROJECTS} from "./projects.ts";
import {proveProjects} from "./prove-projects.ts";

const FEW = ["node-npm", "go", "c-cmake", "ruby"];
proveProjects(
  FIXTURE_PROJECTS.filter(({folder}) => isSweep || FEW.includes(folder)),
  {isLong: isSweep},
);
