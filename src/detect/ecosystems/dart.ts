/** Dart and Flutter packages. */
import {valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, isBelow} from "../files/project.ts";
import {filesBelow, findFirst, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const dart: Ecosystem = {
  name: "dart",
  title: "Dart and Flutter",
  manifests: ["pubspec.yaml"],
  where: "anywhere",
  detect,
};

const DART = {name: "dart", hint: "add the step `dart-lang/setup-dart` before Assay"};
const FLUTTER = {name: "flutter", hint: "add the step `subosito/flutter-action` before Assay"};

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "pubspec.yaml");
  const manifest = project.yaml(file);
  if (valueAt(manifest, "name") === undefined) return {};
  const tool = valueAt(manifest, "dependencies", "flutter") === undefined ? DART : FLUTTER;
  const origin = originOf(file, tool === FLUTTER ? "a Flutter package" : "a Dart package", "name");
  const options = findFirst(project, root, ["analysis_options.yaml"]);
  const packages = project.named("pubspec.yaml").map(folderOf);
  const nestedPackages = packages.filter((folder) => folder !== root && isBelow(folder, root));
  const tests = filesBelow(project, inside(root, "test"), /_test\.dart$/);
  const hasOwnTest = tests.some((path) => !nestedPackages.some((folder) => isBelow(path, folder)));
  return {
    tool,
    origin,
    checks: [
      {
        kind: "typecheck",
        command: `${tool.name} analyze`,
        origin: options === null ? origin : originOf(options, "the analyser is configured"),
      },
      {
        kind: "lint",
        command: "dart format --output=none --set-exit-if-changed .",
        why: "a workflow checks the format",
        label: "format",
        when: isInWorkflows(project, /(dart|flutter) format/),
      },
      {kind: "test", command: `${tool.name} test`, why: `${origin.why} with tests`, when: hasOwnTest},
    ],
    installs: [
      {
        command: `${tool.name} pub get`,
        inputs: ["pubspec.yaml", "pubspec.lock"],
        provides: [".dart_tool"],
        lock: {file: "pubspec.lock", key: "packages", option: "--enforce-lockfile"},
      },
    ],
  };
}
