/** Make: targets of known names, by what their recipes do. */
import {scriptPath, shellBody} from "../ci/shell-file.ts";
import {type Ecosystem, NOTHING, type StageDraft} from "../ecosystem.ts";
import {draftsOfTasks, linesOf, type Runner, type Task} from "../recipes.ts";
import {splitShell} from "../shell.ts";
import {inside, type Project} from "../view.ts";
import {STARTS, targetsOf} from "./makefile.ts";

const FILES = ["GNUmakefile", "makefile", "Makefile"];

export const make: Ecosystem = {
  name: "make",
  title: "Make",
  manifests: FILES,
  where: "beside",
  detect({project, root}) {
    const file = FILES.map((name) => inside(root, name)).find((path) => project.has(path));
    const text = file === undefined ? null : project.text(file);
    if (file === undefined || text === null) return NOTHING;
    const targets = targetsOf(text);
    const runner: Runner = {
      name: "make",
      file,
      cwd: root,
      tools: [{name: "make", hint: "install make with the runner's package manager before Assay"}],
      start: (target) => `make ${target}`,
      starts: STARTS,
      whole: true,
      behind: (line) => scriptBehind(project, root, line),
    };
    const named = draftsOfTasks(runner, targets);
    const isBuilt = named.some((draft) => draft.kind === "build") || !isPlainC(project, root);
    return {
      stages: isBuilt ? named : [...named, ...defaultGoal(runner, targets, /^\.DEFAULT\s*:/m.test(text))],
      setup: [],
      notes: [],
    };
  },
};

/** What `make` alone builds. With `.DEFAULT` (`handsOn`) the goals are those of another makefile. */
function defaultGoal(runner: Runner, targets: ReadonlyMap<string, Task>, handsOn: boolean): StageDraft[] {
  const goal = targets.has("all") ? "all" : ([...targets.keys()].find((name) => !name.includes("%")) ?? "");
  const runs = linesOf(runner, targets, goal);
  if (runs.length === 0 && !handsOn) return [];
  return [
    {
      kind: "build",
      command: "make",
      cwd: runner.cwd,
      origin: {file: runner.file, key: goal, why: "sources in C, and a makefile is all that builds them"},
      evidence: "default",
      tools: runner.tools,
      ...(runs.length > 0 ? {runs} : {}),
    },
  ];
}

/** Sources in C or C++ at the top or in `src`, and nothing else that knows how to build this folder. */
function isPlainC(project: Project, root: string): boolean {
  const here = project.inFolder(root).map((path) => path.slice(path.lastIndexOf("/") + 1));
  const known =
    /^(package|composer|deno)\.json$|^(CMakeLists\.txt|configure.*|meson\.build|go\.mod|Cargo\.toml|pyproject\.toml|setup\.py|Gemfile|mix\.exs|pom\.xml|build\.gradle.*|Package\.swift|.*\.sln|.*\.cabal|dune-project)$/;
  if (here.some((name) => known.test(name))) return false;
  return [root, inside(root, "src")].some((folder) =>
    project.inFolder(folder).some((path) => /\.(c|cc|cpp|cxx)$/.test(path)),
  );
}

/** What a line runs that only starts a shell script of the tree; null for any other. */
function scriptBehind(project: Project, root: string, line: string): string[] | null {
  const [command, ...more] = splitShell(line) ?? [];
  if (command === undefined || more.length > 0) return null;
  const path = scriptPath(project, root, command.words);
  const body = path === null ? null : shellBody(project, path, root);
  return body === null || body.length === 0 ? null : body;
}
