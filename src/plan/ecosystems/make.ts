/** Make: targets of known names, by what their recipes do. */
import {scriptPath, shellBody} from "../ci/shell-file.ts";
import {type Ecosystem, NOTHING, type StageDraft} from "../ecosystem.ts";
import {kindOfName, kindOfWords} from "../kinds.ts";
import {screen} from "../screen.ts";
import {splitShell} from "../shell.ts";
import {inside, type Project} from "../view.ts";

interface Target {
  readonly recipe: readonly string[];
  readonly needs: readonly string[];
}

const FILES = ["GNUmakefile", "makefile", "Makefile"];
const MAX_LINES = 20_000;
const MAX_DEPTH = 12;

export const make: Ecosystem = {
  name: "make",
  title: "Make",
  manifests: FILES,
  where: "beside",
  detect({project, root}) {
    const file = FILES.map((name) => inside(root, name)).find((path) => project.has(path));
    const text = file === undefined ? null : project.text(file);
    if (file === undefined || text === null) return NOTHING;
    const {targets, variables} = parseMakefile(text);
    const stages: StageDraft[] = [];
    for (const name of targets.keys()) {
      const promised = kindOfName(name) ?? (name === "fmt" || name === "format" ? "lint" : null);
      if (promised === null) continue;
      const runs = recipeOf(targets, variables, name).flatMap((line) => scriptBehind(project, root, line) ?? [line]);
      // A default target, or one that only gathers others, says nothing by itself; one without recipe runs nothing.
      if (runs.length === 0) continue;
      const kinds = new Set(
        runs.flatMap((line) => (splitShell(line) ?? []).map((command) => kindOfWords(command.words))),
      );
      const formats = name === "fmt" || name === "format";
      if (formats && !runs.some((line) => kinds.has("lint") && screen(line).kind === "ok")) continue;
      const kind = promised === "check" && kinds.size === 1 ? ([...kinds][0] ?? promised) : promised;
      stages.push({
        kind,
        command: `make ${name}`,
        cwd: root,
        origin: {file, key: name, why: `the target \`${name}\` of the ${file.slice(file.lastIndexOf("/") + 1)}`},
        evidence: "named",
        tools: [{name: "make", hint: "install make with the runner's package manager before Assay"}],
        runs,
        slot: `make:${kind}:${kind === "lint" ? name : ""}`,
        ...(kind === "lint" && name !== "lint" ? {label: name} : {}),
      });
    }
    if (!stages.some((draft) => draft.kind === "build") && isPlainC(project, root)) {
      const goal = targets.has("all") ? "all" : ([...targets.keys()][0] ?? "");
      const runs = recipeOf(targets, variables, goal);
      // With `.DEFAULT` the goals are those of another makefile.
      const handsOn = /^\.DEFAULT\s*:/m.test(text);
      if (runs.length > 0 || handsOn)
        stages.push({
          kind: "build",
          command: "make",
          cwd: root,
          origin: {file, key: goal, why: "sources in C, and a makefile is all that builds them"},
          evidence: "default",
          tools: [{name: "make", hint: "install make with the runner's package manager before Assay"}],
          ...(runs.length > 0 ? {runs} : {}),
        });
    }
    return {stages, setup: [], notes: []};
  },
};

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

/** The lines that a target of this makefile runs, as far as its text tells; null when it has no such target. */
export function targetRuns(text: string, name: string): string[] | null {
  const {targets, variables} = parseMakefile(text);
  return targets.has(name) ? recipeOf(targets, variables, name) : null;
}

/** The lines that a target runs, those of the targets it needs first, with plain variables filled in. */
function recipeOf(
  targets: ReadonlyMap<string, Target>,
  variables: ReadonlyMap<string, string>,
  name: string,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  const target = targets.get(name);
  if (target === undefined || seen.has(name) || seen.size > MAX_DEPTH) return [];
  const inner = new Set([...seen, name]);
  const before = target.needs.flatMap((need) => recipeOf(targets, variables, need, inner));
  const own = target.recipe.flatMap((line) => {
    const again = /^\$[({]MAKE[)}]\s+([\w.-]+)\s*$/.exec(line)?.[1];
    return again === undefined ? [filled(line, variables)] : recipeOf(targets, variables, again, inner);
  });
  return [...before, ...own].filter((line) => screen(line).kind !== "placeholder").slice(0, 200);
}

function filled(line: string, variables: ReadonlyMap<string, string>): string {
  let text = line;
  for (let round = 0; round < 5 && text.length < 5000; round++) {
    const next = text.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) => variables.get(name) ?? whole);
    if (next === text) break;
    text = next;
  }
  return text.replaceAll("$$", "$");
}

/** Reads targets and plain variables. What make would compute (functions, includes, pattern rules) is left out. */
export function parseMakefile(text: string): {targets: Map<string, Target>; variables: Map<string, string>} {
  const targets = new Map<string, {recipe: string[]; needs: string[]}>();
  const variables = new Map<string, string>();
  let current: {recipe: string[]; needs: string[]}[] = [];
  for (const line of text
    .replaceAll("\r\n", "\n")
    .replace(/\\\n[ \t]*/g, " ")
    .split("\n")
    .slice(0, MAX_LINES)) {
    if (line.startsWith("\t")) {
      const command = line.trim().replace(/^[@+-]+\s*/, "");
      if (command !== "" && !command.startsWith("#")) for (const target of current) target.recipe.push(command);
      continue;
    }
    const assigned = /^\s*(?:export\s+|override\s+)?([\w.-]+)\s*(\?=|:=|::=|=|\+=)\s*(.*)$/.exec(line);
    const rule = /^([^\s#=:][^#=:]*?)\s*::?(?!=)\s*([^#=;|]*)(?:[|][^;]*)?(?:;(.*))?(?:#.*)?$/.exec(line);
    if (assigned?.[1] !== undefined) {
      if (assigned[2] !== "?=" || !variables.has(assigned[1]))
        variables.set(assigned[1], (assigned[3] ?? "").replace(/\s+#.*$/, "").trim());
    } else if (rule?.[1] !== undefined) {
      current = rule[1]
        .split(/\s+/)
        .filter((name) => /^[\w./-]+$/.test(name) && !name.startsWith("."))
        .map((name) => {
          const target = targets.get(name) ?? {recipe: [], needs: []};
          targets.set(name, target);
          target.needs.push(...(rule[2] ?? "").split(/\s+/).filter((need) => need !== ""));
          if (rule[3]?.trim()) target.recipe.push(rule[3].trim());
          return target;
        });
    }
  }
  return {targets, variables};
}
