/** Makes a candidate stage of a command of CI, with the parts of the script that it starts. */
import type {StageKind} from "../../record/words.ts";
import {assignments} from "../../shell/quote.ts";
import {splitShell} from "../../shell/split.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {inside, type Project} from "../files/project.ts";
import {INSTALLED} from "../proposals/candidate-stages.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {programHint} from "../proposals/program-hint.ts";
import {safeVariant, screen} from "../proposals/screen.ts";
import {type CiCommand, wholeLine} from "../scripts/shell-lines.ts";
import {bodyOf} from "./bodies.ts";
import {variablesOf} from "./check-variables.ts";
import type {CiScript} from "./jobs.ts";
import {declaresPackage, withArguments} from "./moved-command.ts";
import {HATCH_DATA} from "./set-up-steps.ts";

/** A command that is a check, with the script that starts it. */
export interface CheckedCommand {
  readonly project: Project;
  readonly script: CiScript;
  readonly command: CiCommand;
  readonly about: CiCommand;
  readonly kind: StageKind;
  /** its program may not be installed where Assay runs, or nothing but its place in CI says that it is a check */
  readonly isOptional?: boolean;
  /** true for a command of which no tool file says that it is a check */
  readonly isUnproved?: boolean;
  /** what CI provides before it */
  readonly prepared?: string | undefined;
}

/** The stage of a command, verbatim unless that form would watch or rewrite files. `about` is the command in the folder that it is about. */
export function candidateOf({
  project,
  script,
  command,
  about,
  kind,
  isOptional,
  isUnproved,
  prepared,
}: CheckedCommand): CandidateStage {
  const {cwd} = command;
  const {words} = about;
  const {file, key} = script;
  const line = [...assignments(command.env), ...command.raws].join(" ");
  const safeLine = safeVariant(line);
  const [named] = splitShell(safeLine) ?? [];
  const body = withArguments(bodyOf({project, cwd: about.cwd, words}), named?.raws ?? []);
  const [only = ""] = body ?? [];
  // A script that only watches, or starts an installed tool by npx, is replaced by its command in a safe form. The
  // command of a package below stays there.
  const isReplaced =
    toolOf(words).startsWith("script ") &&
    about.cwd === cwd &&
    body?.length === 1 &&
    project.text(inside(cwd, "package.json"))?.includes(JSON.stringify(only).slice(1, -1)) === true &&
    ["watch", "download"].includes(screen(only).kind);
  const safe = isReplaced ? safeVariant(only) : safeLine;
  const runs = isReplaced ? [safe] : body;
  const [started] = splitShell(safe) ?? [];
  const program = started?.words[0] ?? "";
  const hint = declaresPackage(project, cwd, program) ? INSTALLED : programHint(program, file);
  const tool = toolOf(words);
  const label = kind === "lint" || kind === "typecheck" ? (unwrap(words)[0] ?? "") : "";
  const isTool =
    /^[a-z][\w-]+$/.test(label) && !["npm", "pnpm", "yarn", "bun", "make", "composer", "just", "task"].includes(label);
  return {
    kind,
    command: wholeLine(command, safe),
    cwd,
    ...(about.cwd !== cwd && {about: about.cwd}),
    origin: {
      file,
      key,
      why: `CI runs it${prepared === undefined ? "" : `; ${prepared}`}${safe === line ? "" : ", in a form that ends and rewrites nothing"}`,
    },
    evidence: "ci",
    ...(isOptional && {optional: true}),
    ...(isUnproved && {optional: true, unproved: true}),
    tools: /^[\w.+-]+$/.test(program) ? [{name: program, hint}] : [],
    env: {...variablesOf(script), ...command.exported, ...(words[0] === "hatch" && HATCH_DATA)},
    ...(runs !== null && {runs: tool.startsWith("script ") ? [tool.replace("script", "npm run"), ...runs] : runs}),
    ...(isTool && {label}),
  };
}
