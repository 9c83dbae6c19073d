/** Java and its kin with Maven, by the project's own wrapper where it has one. */
import {posix} from "node:path";
import {folderOf, inside, type Project} from "../files/project.ts";
import {findFirst, foldersBelow, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

/** Plugins whose check needs no more than its goal, by what the pom holds. */
const CHECKS: readonly {plugin: string; goal: string; label: string}[] = [
  {plugin: "spotless-maven-plugin", goal: "spotless:check", label: "format"},
  {plugin: "spring-javaformat-maven-plugin", goal: "spring-javaformat:validate", label: "format"},
  {plugin: "fmt-maven-plugin", goal: "fmt:check", label: "format"},
];

export const javaMaven: Ecosystem = {
  name: "java-maven",
  title: "Java and Kotlin with Maven",
  manifests: ["pom.xml"],
  where: "anywhere",
  detect({project, root}) {
    const file = inside(root, "pom.xml");
    const pom = (project.text(file) ?? "").replace(/<!--[\s\S]*?-->/g, "");
    if (!pom.includes("<project")) return EMPTY_PROPOSAL;
    if (jvmToolOf(project, root) === "gradle")
      return {
        ...EMPTY_PROPOSAL,
        notes: [{about: file, text: "Maven passed over: the workflows build with Gradle alone"}],
      };
    const wrapper = inside(root, "mvnw");
    const isWrapped = project.has(wrapper);
    const program = isWrapped ? "./mvnw" : "mvn";
    const draft = stageFactory({
      cwd: root,
      tool: isWrapped
        ? {name: "java", hint: "add the step `actions/setup-java` before Assay"}
        : {name: "mvn", hint: "add the step `actions/setup-java`, and Maven, before Assay"},
    });
    const origin = {file, key: "project", why: isWrapped ? "a Maven project with its wrapper" : "a Maven project"};
    const lint = CHECKS.filter(({plugin}) => isBuildPlugin(pom, plugin)).map(({plugin, goal, label}) =>
      draft(
        "lint",
        `${program} -B -ntp ${goal}`,
        {file, key: plugin, why: "the plugin is configured"},
        {evidence: "tool", label},
      ),
    );
    return {
      stages: [
        ...lint,
        draft("test", `${program} -B -ntp test`, origin),
        draft("build", `${program} -B -ntp -DskipTests package`, origin),
      ],
      setup: [],
      notes: [],
      covers: modulesOf(project, root),
      notRun: defaultGoals(
        pom,
        lint.map(({command}) => command),
      ).map((goals) => ({
        about: `${file} defaultGoal`,
        why: `\`${program}\` without a goal also runs \`${goals}\`, and no stage does`,
        fix: `add a stage that runs \`${program} -B -ntp ${goals}\` to \`stages\` in verify.json`,
      })),
    };
  },
};

/** The goals of plugins that Maven runs when it is given none, as one text; none where there are none, or stages have them all. */
function defaultGoals(pom: string, commands: readonly string[]): string[] {
  const [, list = ""] = /<defaultGoal>([^<]{1,1000})<\/defaultGoal>/.exec(pom) ?? [];
  const goals = list.split(/\s+/).filter((goal) => /^[\w.-]+(:[\w.-]+)+$/.test(goal));
  const left = goals.filter((goal) => !commands.some((command) => command.endsWith(` ${goal}`)));
  return left.length === 0 ? [] : [left.join(" ")];
}

/** Where a folder has a build for each of the two tools, the one to take: Maven, unless only Gradle is in the workflows. */
export function jvmToolOf(project: Project, root: string): "maven" | "gradle" {
  if (!project.has(inside(root, "pom.xml"))) return "gradle";
  const gradle = findFirst(project, root, [
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
  ]);
  if (gradle === null) return "maven";
  return isInWorkflows(project, /\bgradlew?\b/) && !isInWorkflows(project, /\bmvnw?\b/) ? "gradle" : "maven";
}

/** True when the build itself has the plugin, and not only a profile, or the list of versions for sub-modules. */
function isBuildPlugin(pom: string, plugin: string): boolean {
  const build = pom.replace(/<(profiles|pluginManagement|reporting)>[\s\S]*?<\/\1>/g, "");
  return build.includes(`<artifactId>${plugin}</artifactId>`);
}

/** The modules of a pom and theirs, which one build of the root takes in; with a wrapper, only the root's is meant to run. */
export function modulesOf(project: Project, root: string): string[] {
  const below = new Set(foldersBelow(project, root, ["pom.xml"]));
  const covered = new Set<string>();
  const waiting = [root];
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    const pom = (project.text(inside(here, "pom.xml")) ?? "").replace(/<!--[\s\S]*?-->/g, "");
    for (const [, name = ""] of pom.matchAll(/<(?:module|subproject)>\s*([^<\s]+)\s*</g)) {
      const path = posix.normalize(inside(here, name)).replace(/\/+$/, "");
      const folder = path.endsWith(".xml") ? folderOf(path) : path;
      if (below.has(folder) && !covered.has(folder)) {
        covered.add(folder);
        waiting.push(folder);
      }
    }
  }
  return [...covered];
}
