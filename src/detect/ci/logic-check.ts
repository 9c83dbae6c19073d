/** Classifies a check that CI writes as shell logic: its kind, and why it cannot run as a stage. */
import type {StageKind} from "../../record/words.ts";
import {splitShell} from "../../shell/split.ts";
import {kindOf} from "../../tools/stage-kind.ts";
import {inside, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {requiredTools} from "../proposals/task-runners.ts";
import {whyUndecided} from "../scripts/shell-checks.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";
import {variablesOf} from "./check-variables.ts";
import type {CiScript} from "./jobs.ts";

/** Programs that only print what files contain or which there are. */
const READERS =
  /^(?:cat|grep|egrep|fgrep|rg|head|tail|sort|uniq|wc|cut|tr|diff|cmp|comm|find|ls|basename|dirname|awk|sed|jq|yq|xargs|git)$/;
/** The commands of git that read the checked-out tree. */
const READS_TREE = /^git (?:-\S+ )*(?:ls-files|grep|check-ignore|check-attr)\b/;
const MACHINE_PATH = /^(?:[/~]|\.\.\/)/;

interface LogicCheck {
  readonly kind: StageKind;
  /** null if it can run as a stage */
  readonly trouble: string | null;
}

/** The kind and the trouble of a check written as shell logic; null for another command. */
export function logicCheckOf(project: Project, command: CiCommand): LogicCheck | null {
  const {within, cwd} = command;
  if (within === undefined) return null;
  const kinds = within.flatMap((line) => kindOf(line) ?? []);
  const kind = kinds.find((one) => one === "test") ?? kinds.find((one) => one !== "lint") ?? kinds[0] ?? "check";
  // A linter may only list what it finds; other checks tell it by their result.
  const decisive = within.filter((line) => !["lint", null].includes(kindOf(line)));
  const troubles = [
    ...decisive.map((line) => whyUndecided(command.raws.join(" "), line)),
    ...within.map((line) => troubleOf(project, cwd, line)),
  ];
  return {kind, trouble: command.trouble ?? troubles.find((why) => why !== null) ?? null};
}

function troubleOf(project: Project, cwd: string, line: string): string | null {
  const screening = screen(line);
  if ("why" in screening && screening.kind !== "placeholder") return screening.why;
  if (kindOf(line) !== null) return null;
  const [program = "", ...words] = splitShell(line)?.[0]?.words ?? [];
  const isGit = program === "git";
  if (!READERS.test(program) || (isGit && !READS_TREE.test(line)))
    return `no tool file knows \`${program}\`, so it may do more than check`;
  const operands = words.filter((word) => /^[\w./-]*[./][\w./-]*$/.test(word) && !word.startsWith("-"));
  const isThere = (path: string): boolean => {
    const place = inside(cwd, path.replace(/^\.\/|\/$/g, "")) || ".";
    return path === "." || project.has(place) || project.below(place).length > 0;
  };
  const absent = operands.find((path) => MACHINE_PATH.test(path) || !isThere(path));
  return absent === undefined ? null : `it reads \`${absent}\`, which is not in the tree`;
}

/** The stage of such a check. */
export function stageOfLogic(command: CiCommand, script: CiScript, kind: StageKind): CandidateStage {
  const {raws, within = [], cwd} = command;
  const tools = within.flatMap(requiredTools);
  return {
    kind,
    // The plain name is that of a stage whose command says what it checks.
    label: "script",
    command: raws.join(" "),
    cwd,
    origin: {file: script.file, key: script.key, why: "CI runs it"},
    evidence: "ci",
    tools: tools.filter(({name}, i) => tools.findIndex((other) => other.name === name) === i),
    env: variablesOf(script),
    runs: within,
  };
}
