/** Finds the test runner of a stage that always prints a count of its tests: without one, nothing shows that they ran. */
import {toolOf, unwrap} from "../../shell/program.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {inside} from "../files/project.ts";
import {type CommandContext, readScriptBodies} from "./script-bodies.ts";

interface CountingRunner {
  /** as `toolOf` names it */
  readonly tool: RegExp;
  /** options with which it may print no count, or run no test */
  readonly unless?: RegExp;
  /** settings with the same effect, in files of the stage's folder and of the root */
  readonly settings?: {readonly files: readonly string[]; readonly says: RegExp};
}

const NO_RUN =
  /^(?:--(?:help|version|list\w*|no-run|collect-only|co|showConfig|show-config|watch\w*|init|fixtures|markers|dry-run)\b|-(?:h|V|c|list|list=.*|o|n)$)/i;

/** The tools' manuals document the count at the end of a passing run. Another reporter may not print one. */
const RUNNERS: readonly CountingRunner[] = [
  {tool: /^node --test$/, unless: /^--test-reporter/},
  {
    tool: /^(?:pytest|py\.test)$/,
    unless: /^-\w*q|^--quiet$|^-p|^--tap|^-o$|^-c$/,
    settings: {
      files: ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", ".pytest.ini"],
      says: /addopts[^\n]*(?:\n[ \t"'-][^\n]*)*?-(?:\w*q|-quiet|p)|sugar|junit/,
    },
  },
  {
    tool: /^vitest$/,
    unless:
      /^--(?:reporter|outputFile|silent|config|root|typecheck|merge-?reports)\b|^-[cr]\b|^(?:bench|list|init|watch|dev)$/i,
    settings: {files: configs("vitest.config", "vite.config", "vitest.workspace"), says: /reporters?\b|typecheck/},
  },
  {
    tool: /^jest$/,
    unless: /^--(?:reporters?|config|json|outputFile)\b|^-c\b/,
    settings: {files: [...configs("jest.config"), "package.json"], says: /reporters?\b|"jest-silent/},
  },
  {
    tool: /^mocha$/,
    unless: /^-R|^--(?:reporter|config|package)\b/,
    settings: {
      files: ["js", "cjs", "mjs", "json", "jsonc", "yml", "yaml"].map((end) => `.mocharc.${end}`),
      says: /reporter/,
    },
  },
  {tool: /^cargo test$/, unless: /^--(?:format|message-format)\b|^-Z/},
  {tool: /^go test$/, unless: /^--?(?:json|exec|run|bench|skip|fuzz)\b/},
  {tool: /^unittest$/},
  {tool: /^deno test\b/, unless: /^--reporter/},
  {tool: /^bun test$/, unless: /^--reporter/},
];

function configs(...names: readonly string[]): string[] {
  return names.flatMap((name) => ["ts", "mts", "cts", "js", "mjs", "cjs", "json"].map((end) => `${name}.${end}`));
}

/** Filters that do not change a runner's output. */
const TRANSPARENT = /^(?:tee|cat)$/;
const GRAMMAR =
  /^(?:!|if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|\{|\}|trap|eval|source|\.|exec)$/;
const MAX_BODIES = 200;
/** Variables that add options to a runner, such as `NODE_OPTIONS` and `PYTEST_ADDOPTS`. */
const ADDS_OPTIONS = /OPT|REPORT/;

interface StageContext extends CommandContext {
  /** the stage's own variables */
  readonly env: Readonly<Record<string, string>>;
}

/** The runner that this line or its scripts always start; null where none certainly runs and counts. */
export function findCountingRunner(line: string, context: StageContext, seen: Set<string> = new Set()): string | null {
  const commands = splitShell(line);
  if (commands === null) return null;
  if (commands.some(({joint, words}) => joint === "(" || GRAMMAR.test(words[0] ?? ""))) return null;
  for (const [i, command] of commands.entries()) {
    const next = commands[i + 1];
    const {words, joint, writes, dynamic, env} = command;
    const [name = ""] = words;
    if (name === "exit" || name === "cd" || joint === "||" || joint === "&") return null;
    const isShown = next?.joint !== "|" || TRANSPARENT.test(next.words[0] ?? "");
    if (writes.length > 0 || joint === "|" || !isShown || next?.joint === "&") continue;
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
  const runner = RUNNERS.find((row) => row.tool.test(tool));
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
