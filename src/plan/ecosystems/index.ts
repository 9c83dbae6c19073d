/** The ordered list of ecosystems; earlier ones win where two drafts of equal evidence run the same thing. */
import {githubWorkflows} from "../ci/github.ts";
import type {Ecosystem} from "../ecosystem.ts";
import {dotnet} from "./dotnet.ts";
import {go} from "./go.ts";
import {gradle} from "./gradle.ts";
import {javaMaven} from "./java-maven.ts";
import {make} from "./make.ts";
import {node} from "./node.ts";
import {python} from "./python.ts";
import {rust} from "./rust.ts";

export const ECOSYSTEMS: readonly Ecosystem[] = [node, python, rust, go, javaMaven, gradle, dotnet, make, githubWorkflows];
