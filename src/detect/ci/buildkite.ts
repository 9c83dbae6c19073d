/** Buildkite: the commands of the steps in `.buildkite/pipeline.yml`, in groups too. */
import type {Note} from "../../record/plan.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {detectScripts} from "./extract-checks.ts";
import type {CiScript} from "./jobs.ts";
import {keyIn, shellOf} from "./jobs.ts";
import {plainEnv} from "./step-variables.ts";

const FILES = [".buildkite/pipeline.yml", ".buildkite/pipeline.yaml", "buildkite.yml", "buildkite.yaml"];
const MAX_STEPS = 300;
/** A command that continues the pipeline with the steps of another file. */
const UPLOADS = /^\s*buildkite-agent pipeline upload ([\w./-]+\.ya?ml)\s*$/;

export const buildkite: Ecosystem = {
  name: "buildkite",
  title: "Buildkite",
  manifests: FILES,
  where: "beside",
  detect: detectScripts(readScripts),
};

function readScripts(project: Project, notes: Note[]): CiScript[] {
  const file = FILES.find((path) => project.has(path));
  return file === undefined ? [] : scriptsOfPipeline({project, notes, file, above: []});
}

interface Pipeline {
  readonly project: Project;
  readonly notes: Note[];
  readonly file: string;
  /** the pipelines that include this one, to detect cycles */
  readonly above: readonly string[];
}

function scriptsOfPipeline(here: Pipeline): CiScript[] {
  const {project, notes, file} = here;
  const config = project.yaml(file);
  const env = plainEnv(valueAt(config, "env"));
  const entries = listOf(Array.isArray(config) ? config : valueAt(config, "steps"));
  const steps = entries.flatMap((step) => [step, ...listOf(valueAt(step, "steps"))]);
  if (steps.length > MAX_STEPS)
    notes.push({about: file, text: `only the first ${MAX_STEPS} of its ${steps.length} steps were looked at`});
  return steps.slice(0, MAX_STEPS).flatMap((step): CiScript[] => {
    const text = shellOf(valueAt(step, "command") ?? valueAt(step, "commands"));
    const name = textAt(step, "label") ?? textAt(step, "name") ?? textAt(step, "key") ?? "";
    if (text === "" || isOfDefaultBranch(step)) return [];
    const next = UPLOADS.exec(text)?.[1];
    if (next !== undefined && project.has(next) && ![file, ...here.above].includes(next))
      return scriptsOfPipeline({...here, file: next, above: [...here.above, file]});
    const reason = notACheck(name);
    return [
      {
        file,
        key: keyIn(project, file, name, "steps"),
        // Buildkite replaces `$NAME` itself, and leaves `$$NAME` to the shell.
        text: text.replaceAll("$$", "$"),
        cwd: ".",
        env: {...env, ...plainEnv(valueAt(step, "env"))},
        blocked: reason === null ? neededBy(step) : reason.replace(/^its/, "the step's"),
        ...(JSON.stringify(valueAt(step, "plugins") ?? "").includes("docker") && {isInContainer: true}),
      },
    ];
  });
}

/** True for a step that only runs on the default branch or a tag, and so for no pull request. */
const isOfDefaultBranch = (step: unknown): boolean =>
  ["main", "master"].includes(textAt(step, "branches") ?? "") ||
  /build\.(branch|tag) ==? ?["']?(main|master|v)|build\.tag (!=|=~)/.test(textAt(step, "if") ?? "");

/** The reason why a step cannot run here or decides nothing: it needs another system, or it may fail. */
function neededBy(step: unknown): string | null {
  if (valueAt(step, "soft_fail") === true) return "CI continues when it fails";
  const agents = JSON.stringify([...mapOf(valueAt(step, "agents")).values()]);
  const system = /windows/i.test(agents) ? "Windows" : /mac|darwin/i.test(agents) ? "macOS" : null;
  return system === null ? null : `CI runs it on ${system} only`;
}
