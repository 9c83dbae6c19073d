/** Java and its relatives with Maven, by the project's own wrapper if it has one. */
import {closureOf, folderOf, inside, type Project, resolveFrom} from "../files/project.ts";
import {findFirst, foldersBelow, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const javaMaven: Ecosystem = {
  name: "java-maven",
  title: "Java and Kotlin with Maven",
  manifests: ["pom.xml"],
  where: "anywhere",
  detect,
};

const JAVA = {name: "java", hint: "add the step `actions/setup-java` before Assay"};
const MAVEN = {name: "mvn", hint: "add the step `actions/setup-java`, and Maven, before Assay"};

export const GRADLE_FILES = ["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"];

/** Plugins whose check needs only its goal. */
const CHECKS: readonly {plugin: string; goal: string; label: string}[] = [
  {plugin: "spotless-maven-plugin", goal: "spotless:check", label: "format"},
  {plugin: "spring-javaformat-maven-plugin", goal: "spring-javaformat:validate", label: "format"},
  {plugin: "fmt-maven-plugin", goal: "fmt:check", label: "format"},
];

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "pom.xml");
  const pom = pomAt(project, root);
  if (!pom.includes("<project")) return {};
  if (jvmToolOf(project, root) === "gradle")
    return {notes: [{about: file, text: "Maven skipped: the workflows build only with Gradle"}]};
  const isWrapped = project.has(inside(root, "mvnw"));
  const program = isWrapped ? "./mvnw" : "mvn";
  const lint = CHECKS.map(
    ({plugin, goal, label}): CheckRow => ({
      kind: "lint",
      command: `${program} -B -ntp ${goal}`,
      origin: originOf(file, "the plugin is configured", plugin),
      evidence: "tool",
      label,
      when: isBuildPlugin(pom, plugin),
    }),
  );
  const coveredCommands = lint.flatMap(({command, when}) => (when === true ? [command] : []));
  return {
    tool: isWrapped ? JAVA : MAVEN,
    origin: originOf(file, isWrapped ? "a Maven project with its wrapper" : "a Maven project", "project"),
    checks: [
      ...lint,
      {kind: "test", command: `${program} -B -ntp test`},
      {kind: "build", command: `${program} -B -ntp -DskipTests package`},
    ],
    covers: modulesOf(project, root),
    // The default goals become a stage if CI runs `mvn` without arguments.
    notRun: (isInWorkflows(project, /\bmvnw?( -\S+)*\s*$/m) ? [] : defaultGoals(pom, coveredCommands)).map((goals) => ({
      about: `${file} defaultGoal`,
      why: `\`${program}\` without a goal also runs \`${goals}\`, and no stage does`,
      fix: `add a check that runs \`${program} -B -ntp ${goals}\` to \`stages\` in verify.json`,
    })),
  };
}

/** The text of the pom in this folder, without its comments; empty if there is none. */
function pomAt(project: Project, folder: string): string {
  return (project.text(inside(folder, "pom.xml")) ?? "").replace(/<!--[\s\S]*?-->/g, "");
}

/**
 * The plugin goals that `mvn` runs without arguments, as one text. Empty if there are none, or if stages run them all.
 */
function defaultGoals(pom: string, commands: readonly string[]): string[] {
  const [, list = ""] = /<defaultGoal>([^<]{1,1000})<\/defaultGoal>/.exec(pom) ?? [];
  const goals = list.split(/\s+/).filter((goal) => /^[\w.-]+(:[\w.-]+)+$/.test(goal));
  const uncoveredGoals = goals.filter((goal) => !commands.some((command) => command.endsWith(` ${goal}`)));
  return uncoveredGoals.length === 0 ? [] : [uncoveredGoals.join(" ")];
}

/** The tool to use if a folder has a build for both: Maven, unless the workflows use only Gradle. */
export function jvmToolOf(project: Project, root: string): "maven" | "gradle" {
  if (!project.has(inside(root, "pom.xml"))) return "gradle";
  if (findFirst(project, root, GRADLE_FILES) === null) return "maven";
  return isInWorkflows(project, /\bgradlew?\b/) && !isInWorkflows(project, /\bmvnw?\b/) ? "gradle" : "maven";
}

/** True if the build itself has the plugin. Profiles and the list of versions for sub-modules do not count. */
function isBuildPlugin(pom: string, plugin: string): boolean {
  const build = pom.replace(/<(profiles|pluginManagement|reporting)>[\s\S]*?<\/\1>/g, "");
  return build.includes(`<artifactId>${plugin}</artifactId>`);
}

/** The modules of a pom and their modules: one build of the root includes them all. */
export function modulesOf(project: Project, root: string): string[] {
  const below = new Set(foldersBelow(project, root, ["pom.xml"]));
  const modulesIn = (current: string): string[] =>
    [...pomAt(project, current).matchAll(/<(?:module|subproject)>\s*([^<\s]+)\s*</g)]
      .map(([, name = ""]) => resolveFrom(current, name))
      .map((path) => (path.endsWith(".xml") ? folderOf(path) : path))
      .filter((folder) => below.has(folder));
  return [...closureOf(root, modulesIn)].slice(1);
}
