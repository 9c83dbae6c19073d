/** Bazel's own CI: the commands of the tasks in `.bazelci/presubmit.yml`. */
import {detectScripts} from "../ci/extract-checks.ts";
import {type CiScript, keyIn, shellOf} from "../ci/jobs.ts";
import {mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {enter} from "../scripts/shell-values.ts";

const FILES = [".bazelci/presubmit.yml", ".bazelci/presubmit.yaml", ".bazelci/config.yml"];
const MAX_TASKS = 100;

export const bazelCi: Ecosystem = {
  name: "bazelci",
  title: "Bazel CI",
  manifests: FILES,
  where: "beside",
  detect: detectScripts(readScripts),
};

function readScripts(project: Project): CiScript[] {
  const file = FILES.find((path) => project.has(path));
  const tasks = file === undefined ? [] : [...mapOf(valueAt(project.yaml(file), "tasks"))];
  return tasks.slice(0, MAX_TASKS).flatMap(([key, task]): CiScript[] => {
    const platform = textAt(task, "platform") ?? key;
    const system = /windows/.test(platform) ? "Windows" : /mac/.test(platform) ? "macOS" : null;
    const why = (valueAt(task, "soft_fail") ?? false) === false ? null : "CI continues when it fails";
    const cwd = enter(".", textAt(task, "working_directory") ?? ".");
    if (file === undefined || cwd === null) return [];
    const lines = [
      shellOf(valueAt(task, "shell_commands")),
      ...textsOf(valueAt(task, "run_targets")).map((target) => `bazel run ${target}`),
      ...["build", "test"].flatMap((verb) => commandOf(task, verb)),
    ];
    return [
      {
        file,
        key: keyIn(project, file, textAt(task, "name") ?? "", key),
        text: lines.filter((line) => line !== "").join("\n"),
        cwd,
        env: {},
        blocked: why ?? (system === null ? null : `CI runs it on ${system} only`),
        isRequired: true,
      },
    ];
  });
}

/** The command for the targets of a verb, with its flags. A target that is left out follows `--`. */
function commandOf(task: unknown, verb: string): string[] {
  const targets = textsOf(valueAt(task, `${verb}_targets`)).filter((target) => target !== "--");
  const flags = textsOf(valueAt(task, `${verb}_flags`));
  const separator = targets.some((target) => target.startsWith("-")) ? ["--"] : [];
  return targets.length === 0 ? [] : [["bazel", verb, ...flags, ...separator, ...targets].join(" ")];
}
