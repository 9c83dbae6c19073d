/** Dart and Flutter packages. */

import {valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {filesBelow, findFirst, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const DART = {name: "dart", hint: "add the step `dart-lang/setup-dart` before Assay"};
const FLUTTER = {name: "flutter", hint: "add the step `subosito/flutter-action` before Assay"};

export const dart: Ecosystem = {
  name: "dart",
  title: "Dart and Flutter",
  manifests: ["pubspec.yaml"],
  where: "anywhere",
  detect({project, root}) {
    const file = inside(root, "pubspec.yaml");
    const spec = project.yaml(file);
    if (valueAt(spec, "name") === undefined) return EMPTY_PROPOSAL;
    const isFlutter = valueAt(spec, "dependencies", "flutter") !== undefined;
    const program = isFlutter ? "flutter" : "dart";
    const draft = stageFactory({cwd: root, tool: isFlutter ? FLUTTER : DART});
    const origin = {file, key: "name", why: `a ${isFlutter ? "Flutter" : "Dart"} package`};
    const options = findFirst(project, root, ["analysis_options.yaml"]);
    const analysis =
      options === null ? origin : {file: options, key: "analysis_options.yaml", why: "the analyser is configured"};
    const inner = project
      .named("pubspec.yaml")
      .filter((path) => path !== file)
      .map((path) => path.slice(0, -"pubspec.yaml".length));
    const tests = filesBelow(project, inside(root, "test"), /_test\.dart$/).filter(
      (path) => !inner.some((folder) => path.startsWith(folder)),
    );
    const lock = findFirst(project, root, ["pubspec.lock"]);
    return {
      stages: [
        draft("typecheck", `${program} analyze`, analysis),
        ...(isInWorkflows(project, /(dart|flutter) format/)
          ? [
              draft(
                "lint",
                "dart format --output=none --set-exit-if-changed .",
                {...origin, why: "a workflow checks the format"},
                {
                  label: "format",
                },
              ),
            ]
          : []),
        ...(tests.length > 0 ? [draft("test", `${program} test`, {...origin, why: `${origin.why} with tests`})] : []),
      ],
      setup: [
        {
          command: `${program} pub get${lock === null ? "" : " --enforce-lockfile"}`,
          cwd: root,
          inputs: [file, inside(root, "pubspec.lock")],
          provides: [inside(root, ".dart_tool")],
          tools: [isFlutter ? FLUTTER : DART],
          origin: lock === null ? origin : {file: lock, key: "packages", why: "fetched as the lock file says"},
        },
      ],
      notes: [],
    };
  },
};
