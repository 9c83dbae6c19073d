/** The ordered list of ecosystems. For two candidates with equal evidence and tool, the earlier one wins. */
import {githubWorkflows} from "../ci/github.ts";
import {OTHER_CI} from "../ci/other-ci.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {taskEcosystem} from "../proposals/task-runners.ts";
import {JUST} from "../scripts/just-recipes.ts";
import {TASK} from "../scripts/taskfile-tasks.ts";
import {cCpp} from "./c-cpp.ts";
import {CONFIG_ROWS} from "./config-rows.ts";
import {deno} from "./deno.ts";
import {dotnet} from "./dotnet.ts";
import {elixir} from "./elixir.ts";
import {go} from "./go.ts";
import {gradle} from "./gradle.ts";
import {javaMaven} from "./java-maven.ts";
import {LANGUAGE_ROWS} from "./language-rows.ts";
import {make} from "./make.ts";
import {node} from "./node.ts";
import {php} from "./php.ts";
import {preCommit} from "./pre-commit.ts";
import {python} from "./python.ts";
import {ecosystemOf} from "./row.ts";
import {ruby} from "./ruby.ts";
import {rust} from "./rust.ts";
import {shell} from "./shell.ts";
import {swift} from "./swift.ts";

export const ECOSYSTEMS: readonly Ecosystem[] = [
  node,
  deno,
  python,
  rust,
  go,
  javaMaven,
  gradle,
  dotnet,
  ruby,
  php,
  cCpp,
  elixir,
  swift,
  ...LANGUAGE_ROWS.map(ecosystemOf),
  ...CONFIG_ROWS.map(ecosystemOf),
  shell,
  make,
  ...[JUST, TASK].map(taskEcosystem),
  preCommit,
  githubWorkflows,
  ...OTHER_CI,
];
