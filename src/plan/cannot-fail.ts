/** Whether a shell line can end with anything but 0, told from its words alone. */
import {type SimpleCommand, splitShell} from "./shell.ts";
import {type Scripts, startedScript} from "./started-script.ts";

/** How a shell was started: stages run with `bash -e -o pipefail`, package.json's scripts with plain `sh`. */
export interface ShellMode {
  readonly stopsAtFailure: boolean;
  readonly pipefail: boolean;
}
export const STAGE_SHELL: ShellMode = {stopsAtFailure: true, pipefail: true};
const SCRIPT_SHELL: ShellMode = {stopsAtFailure: false, pipefail: false};

/** How the plan says it of a stage. */
export const ALWAYS_ENDS_WELL = "always ends with exit code 0";

const ALWAYS_PASSES = new Set(["true", ":", "echo", "printf"]);
/** Words of the shell's own grammar: such a line is not understood, and nothing is claimed of it. */
const GRAMMAR = /^(?:!|if|then|else|elif|fi|for|while|until|do|done|case|esac|function|\{|\}|trap|eval)$/;

/** True only where it is certain that the line always ends with 0. `scripts` are the package.json's that its commands may start. */
export function cannotFail(line: string, scripts: Scripts, mode: ShellMode = STAGE_SHELL): boolean {
  return alwaysEndsWell(line, {scripts, mode, known: new Map()});
}

interface Context {
  readonly scripts: Scripts;
  readonly mode: ShellMode;
  /** answers for script bodies; false while a body is being read, so that scripts that start each other end */
  readonly known: Map<string, boolean>;
}

function alwaysEndsWell(line: string, context: Context): boolean {
  const {mode} = context;
  const commands = splitShell(line);
  if (commands === null || commands.length === 0) return false;
  if (commands.some(({joint, words}) => joint === "(" || GRAMMAR.test(words[0] ?? ""))) return false;
  const passes = (command: SimpleCommand) => alwaysPasses(command, context);
  const lists = listsOf(commands);
  let {stopsAtFailure} = mode;
  let isLastSafe = false;
  for (const [at, list] of lists.entries()) {
    const [first] = list;
    const words = first?.words ?? [];
    if (list.length === 1 && words[0] === "exit") return words[1] === "0" || (words[1] === undefined && isLastSafe);
    if (list.length === 1 && words[0] === "set" && words.includes("+e")) stopsAtFailure = false;
    const isBackground = lists[at + 1]?.[0]?.joint === "&" || (at === lists.length - 1 && /(?:^|[^&])&\s*$/.test(line));
    const isLast = at === lists.length - 1;
    isLastSafe = isBackground || isSafe(list, {mode, passes, isLast});
    if (!isLastSafe && stopsAtFailure) return false;
  }
  return isLastSafe;
}

function listsOf(commands: readonly SimpleCommand[]): SimpleCommand[][] {
  const lists: SimpleCommand[][] = [];
  for (const command of commands) {
    const isJoined = ["&&", "||", "|"].includes(command.joint);
    if (isJoined && lists.length > 0) lists.at(-1)?.push(command);
    else lists.push([command]);
  }
  return lists;
}

/** Commands that `&&`, `||` and `|` join. In front of others, only the last one's failure stops the line (bash, `set -e`). */
function isSafe(
  list: readonly SimpleCommand[],
  o: {mode: ShellMode; passes: (command: SimpleCommand) => boolean; isLast: boolean},
): boolean {
  let safe = true;
  for (const command of list) {
    const own = o.passes(command);
    if (command.joint === "||") safe ||= own;
    else if (command.joint === "|") safe = own && (safe || !o.mode.pipefail);
    else if (command.joint === "&&") safe = own && (safe || !o.isLast);
    else safe = own;
  }
  return safe;
}

function alwaysPasses({words}: SimpleCommand, context: Context): boolean {
  const {scripts, known} = context;
  const [name = ""] = words;
  if (ALWAYS_PASSES.has(name)) return true;
  if (name === "exit") return words[1] === "0";
  if (name === "set") return words.includes("+e");
  const script = startedScript(words, scripts);
  if (script === null) return false;
  const before = scripts[`pre${script.name}`];
  const bodies = [...(before === undefined ? [] : [before]), script.body];
  return bodies.every((body) => {
    const answer = known.get(body);
    if (answer !== undefined) return answer;
    known.set(body, false);
    const isSafe = alwaysEndsWell(body, {...context, mode: SCRIPT_SHELL});
    known.set(body, isSafe);
    return isSafe;
  });
}
