/** Finds the test runner of a stage that always prints a count of its tests, as evidence that they ran. */

import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {inside} from "../files/project.ts";
import {type CommandContext, readScriptBodies} from "./script-bodies.ts";

const NO_RUN =
  /^(?:--(?:help|version|list\w*|no-run|collect-only|co|showConfig|show-config|watch\w*|init|fixtures|markers|dry-run)\b|-(?:h|V|c|list|list=.*|o|n)$)/i;

/** The tools' manuals document the count at the end of a passing run. Other reporters may print no count. */
const TEST_COUNTS = COMMANDS.flatMap(({testCount}) => testCount ?? []);

/** Filters that do not change a runner's output. */
const TRANSPARENT = new Set(["tee", "cat"]);
/** These may end the text, or hide what runs. */
const HIDES = new Set(["trap", "eval", "source", ".", "exec"]);
const MAX_BODIES = 200;
/** Variables that add options to a runner, such as `NODE_OPTIONS` and `PYTEST_ADDOPTS`. */
const ADDS_OPTIONS = /OPT|REPORT/;

interface StageContext extends CommandContext {
  /** the stage's own variables */
  readonly env: Readonly<Record<string, string>>;
}

/** The runner that this line or its scripts always start; null if no runner certainly runs and counts. */
export function findCountingRunner(line: string, context: StageContext, seen: Set<string> = new Set()): string | null {
  const commands = splitShell(line);
  if (commands === null) return null;
  if (commands.some(({inside, isNegated, words}) => inside.length > 0 || isNegated || HIDES.has(words[0] ?? "")))
    return null;
  for (const [i, command] of commands.entries()) {
    const next = commands[i + 1];
    const {words, joint, writes, dynamic, env} = command;
    const [name = ""] = words;
    if (name === "exit" || name === "cd" || joint === "||" || joint === "&") return null;
    const isShown = next?.joint !== "|" || TRANSPARENT.has(next.words[0] ?? "");
    if (writes.length > 0 || joint === "|" || !isShown || command.isBackground) continue;
    const hasUnknownOptions = dynamic || Object.keys({...context.env, ...env}).some((key) => ADDS_OPTIONS.test(key));
    const runner = hasUnknownOptions ? null : runnerOf(command, context);
    if (runner !== null) return runner;
    for (const body of readScriptBodies(words, context) ?? []) {
      const key = `${body.cwd}\n${body.text}`;
      if (seen.has(key) || seen.size > MAX_BODIES) continue;
      seen.add(key);
      const runnerInBody = findCountingRunner(body.text, {...context, cwd: body.cwd}, seen);
      if (runnerInBody !== null) return runnerInBody;
    }
  }
  return null;
}

function runnerOf({words}: SimpleCommand, {project, cwd}: CommandContext): string | null {
  const tool = toolOf(words);
  const names = [tool, `${tool.split(" ").slice(0, 2).join(" ")} *`];
  const runner = TEST_COUNTS.find(({commands}) => names.some((name) => commands.includes(name)));
  if (runner === undefined) return null;
  const {unless, settings} = runner;
  const options = unwrap(words).slice(1);
  if (options.some((word) => NO_RUN.test(word) || unless?.test(word) === true)) return null;
  const paths = [".", cwd].flatMap((folder) => (settings?.files ?? []).map((file) => inside(folder, file)));
  const isReconfigured = paths.some(
    (path) => project.has(path) && settings?.says.test(project.text(path) ?? "") !== false,
  );
  return isReconfigured ? null : tool;
}
