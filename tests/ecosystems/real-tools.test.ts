/** Each ecosystem with its real tool; without a sweep, two that differ most from each other. */
import {isSweep} from "../sweep.ts";
import {FIXTURE_PROJECTS} from "./projects.ts";
import {proveProjects} from "./prove-projects.ts";

const FEW = ["node-npm", "c-cmake"];
proveProjects(
  FIXTURE_PROJECTS.filter(({folder}) => isSweep || FEW.includes(folder)),
  {isLong: isSweep},
);
