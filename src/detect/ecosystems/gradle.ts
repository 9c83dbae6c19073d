/** Java, Kotlin and Groovy with Gradle, by the project's own wrapper where it has one. */

import {inside, type Project} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";
import {jvmToolOf} from "./java-maven.ts";

const SETTINGS = ["settings.gradle.kts", "settings.gradle"];
const BUILDS = ["build.gradle.kts", "build.gradle"];
const MAX_SCRIPTS = 100;

/** Plugins that bring a task `test`. */
const PLAIN =
  /kotlin\(["']jvm["']\)|\bkotlin\.jvm\b|["']java(-library)?["']|^\s*`?java(-library)?`?\s*$|com\.android\.(application|library)/m;

/** Plugins that check, by how a build script applies them, with the task that only looks. */
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
  manifests: [...SETTINGS, ...BUILDS],
  where: "anywhere",
  detect({project, root}) {
    const file = findFirst(project, root, [...BUILDS, ...SETTINGS]);
    if (file === null) return EMPTY_PROPOSAL;
    if (jvmToolOf(project, root) === "maven")
      return {
        ...EMPTY_PROPOSAL,
        notes: [{about: file, text: "Gradle passed over: Maven builds this too, and one is enough"}],
      };
    const wrapper = inside(root, "gradlew");
    const isWrapped = project.has(wrapper);
    const program = isWrapped ? "./gradlew" : "gradle";
    const scripts = filesBelow(project, root, /\.gradle(\.kts)?$/).slice(0, MAX_SCRIPTS);
    const texts = scripts.map((path) => ({path, text: withoutComments(project.text(path) ?? "")}));
    const draft = stageFactory({
      cwd: root,
      tool: isWrapped
        ? {name: "java", hint: "add the step `actions/setup-java` before Assay"}
        : {name: "gradle", hint: "add the steps `actions/setup-java` and `gradle/actions/setup-gradle` before Assay"},
    });
    const origin = {
      file,
      key: file.slice(file.lastIndexOf("/") + 1),
      why: isWrapped ? "a Gradle project with its wrapper" : "a Gradle project",
    };
    const lint = CHECKS.flatMap(({applied, task, label}): CandidateStage[] => {
      const found = texts.find(({text}) => applied.test(text));
      if (found === undefined) return [];
      const key = applied.exec(found.text)?.[0].trim() ?? "";
      return [
        draft(
          "lint",
          `${program} ${task}`,
          {file: found.path, key, why: "the plugin is applied"},
          {
            evidence: "tool",
            label,
          },
        ),
      ];
    });
    const multiplatform = texts.some(({text}) => /kotlin\(["']multiplatform["']\)|kotlin\.multiplatform/.test(text));
    // Multiplatform projects have no task `test`; their `check` would start browsers and simulators.
    const plain = texts.some(({text}) => PLAIN.test(text));
    const task = multiplatform ? (plain ? "jvmTest test" : "jvmTest") : "test";
    const test = draft("test", `${program} ${task}`, origin);
    const build = draft("build", `${program} assemble`, origin);
    return {stages: [...lint, test, build], setup: [], notes: [], covers: subprojectsOf(project, root)};
  },
};

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** Everything below a build with settings is part of it, or of what it includes, unless it has a wrapper of its own. */
function subprojectsOf(project: Project, root: string): string[] {
  const settings = findFirst(project, root, SETTINGS);
  if (settings === null) return [];
  const text = withoutComments(project.text(settings) ?? "");
  const included = [...text.matchAll(/\bincludeBuild\s*\(?\s*['"]([\w./-]+)['"]/g)].map(([, path = ""]) =>
    inside(root, path.replace(/^\.\//, "")),
  );
  return foldersBelow(project, root, [...SETTINGS, ...BUILDS]).filter(
    (folder) => included.includes(folder) || !project.has(inside(folder, "gradlew")),
  );
}
