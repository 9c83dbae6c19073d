/** The ordered list of ecosystems; earlier ones win where two drafts of equal evidence run the same thing. */
import type {Ecosystem} from "../ecosystem.ts";
import {make} from "./make.ts";
import {node} from "./node.ts";
import {python} from "./python.ts";

export const ECOSYSTEMS: readonly Ecosystem[] = [node, python, make];
