/** Java, Kotlin and Groovy with Gradle, by the project's own wrapper if it has one. */
import {plainPath} from "../../git/paths.ts";
import {inside, type Project} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {GRADLE_FILES, jvmToolOf} from "./java-maven.ts";

const MAX_SCRIPTS = 100;

/** Plugins that add a task `test`. */
const TEST_PLUGIN =
  /kotlin\(["']jvm["']\)|\bkotlin\.jvm\b|["']java(-library)?["']|^\s*`?java(-library)?`?\s*$|com\.android\.(application|library)/m;

/** Plugins that check, by how a build script applies them, with the read-only task. */
const CHECKS: readonly {applied: RegExp; task: string; label: string}[] = [
  {applied: /com\.diffplug\.spotless|plugins\.spotless\b|\bspotless\s*\{/, task: "spotlessCheck", label: "format"},
  {
    applied: /org\.jlleitschuh\.gradle\.ktlint|plugins\.ktlint\b|org\.jmailen\.kotlinter/,
    task: "ktlintCheck",
    label: "ktlint",
  },
  {applied: /io\.gitlab\.arturbosch\.detekt|dev\.detekt|plugins\.detekt\b/, task: "detekt", label: "detekt"},
  {
    applied: /\bid[ (]['"]checkstyle['"]|apply plugin: ['"]checkstyle['"]|^\s*checkstyle\s*$|plugins\.checkstyle\b/m,
    task: "checkstyleMain",
    label: "checkstyle",
  },
];

export const gradle: Ecosystem = {
  name: "gradle",
  title: "Java, Kotlin and Groovy with Gradle",
  manifests: ["settings.gradle.kts", "settings.gradle", "build.gradle.kts", "build.gradle"],
  where: "anywhere",
  detect,
};

const JAVA = {name: "java", hint: "add the step `actions/setup-java` before Assay"};
const GRADLE = {
  name: "gradle",
  hint: "add the steps `actions/setup-java` and `gradle/actions/setup-gradle` before Assay",
};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, GRADLE_FILES);
  if (file === null) return {};
  if (jvmToolOf(project, root) === "maven")
    return {notes: [{about: file, text: "Gradle skipped: Maven builds this project too"}]};
  const isWrapped = project.has(inside(root, "gradlew"));
  const program = isWrapped ? "./gradlew" : "gradle";
  const scripts = filesBelow(project, root, [".gradle", ".gradle.kts"])
    .slice(0, MAX_SCRIPTS)
    .map((path) => ({path, text: withoutComments(project.text(path) ?? "")}));
  const matches = (pattern: RegExp): boolean => scripts.some(({text}) => pattern.test(text));
  const lint = CHECKS.flatMap(({applied, task, label}): CheckRow[] => {
    const script = scripts.find(({text}) => applied.test(text));
    if (script === undefined) return [];
    const origin = originOf(script.path, "the plugin is applied", applied.exec(script.text)?.[0].trim());
    return [{kind: "lint", command: `${program} ${task}`, origin, evidence: "tool", label}];
  });
  // Multiplatform projects have no task `test`; their `check` would start browsers and simulators.
  const isMultiplatform = matches(/kotlin\(["']multiplatform["']\)|kotlin\.multiplatform/);
  const task = !isMultiplatform ? "test" : matches(TEST_PLUGIN) ? "jvmTest test" : "jvmTest";
  return {
    tool: isWrapped ? JAVA : GRADLE,
    origin: originOf(file, isWrapped ? "a Gradle project with its wrapper" : "a Gradle project"),
    checks: [...lint, {kind: "test", command: `${program} ${task}`}, {kind: "build", command: `${program} assemble`}],
    covers: subprojectsOf(project, root),
  };
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/**
 * The projects below a build with settings. They belong to it or to a build that it includes, except those with their
 * own wrapper.
 */
function subprojectsOf(project: Project, root: string): string[] {
  const settings = findFirst(project, root, ["settings.gradle.kts", "settings.gradle"]);
  if (settings === null) return [];
  const text = withoutComments(project.text(settings) ?? "");
  const includedBuilds = [...text.matchAll(/\bincludeBuild\s*\(?\s*['"]([\w./-]+)['"]/g)].map(([, path = ""]) =>
    inside(root, plainPath(path)),
  );
  return foldersBelow(project, root, GRADLE_FILES).filter(
    (folder) => includedBuilds.includes(folder) || !project.has(inside(folder, "gradlew")),
  );
}
