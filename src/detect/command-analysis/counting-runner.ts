/** Finds the test runner behind a stage that prints or reports a count of its tests in each run: without one, nothing shows that they ran. */

import {toolOf, unwrap} from "../../shell/program.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {inside, type Project} from "../files/project.ts";
import {readScriptBodies} from "./script-bodies.ts";

interface CountingRunner {
  /** as `toolOf` names it */
  readonly tool: RegExp;
  /** words with which it may print no count, or run no test */
  readonly unless?: RegExp;
  /** settings that may do the same, in files of the stage's folder and of the root */
  readonly settings?: {readonly files: readonly string[]; readonly says: RegExp};
}

const NO_RUN =
  /^(?:--(?:help|version|list\w*|no-run|collect-only|co|showConfig|show-config|watch\w*|init|fixtures|markers|dry-run)\b|-(?:h|V|c|list|list=.*|o|n)$)/i;

/** From the tools' own manuals: what each prints at the end of a run that passes. A runner with reporters has to have its own. */
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

/** These pass a runner's output on as it is. */
const PASSES_ON = /^(?:tee|cat)$/;
const GRAMMAR =
  /^(?:!|if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|\{|\}|trap|eval|source|\.|exec)$/;
const MOST_BODIES = 200;
/** Variables that give a runner more options, such as `NODE_OPTIONS` and `PYTEST_ADDOPTS`. */
const GIVES_OPTIONS = /OPT|REPORT/;

interface Where {
  readonly project: Project;
  readonly cwd: string;
  /** the stage's own variables */
  readonly env: Readonly<Record<string, string>>;
}

/** The runner that this line starts in any case, scripts of the tree included; null where none is certain to run and to count. */
export function findCountingRunner(line: string, o: Where, seen: Set<string> = new Set()): string | null {
  const commands = splitShell(line);
  if (commands === null) return null;
  if (commands.some(({joint, words}) => joint === "(" || GRAMMAR.test(words[0] ?? ""))) return null;
  for (const [at, command] of commands.entries()) {
    const next = commands[at + 1];
    const {words, joint, writes, dynamic, env} = command;
    const [name = ""] = words;
    if (name === "exit" || name === "cd" || joint === "||" || joint === "&") return null;
    const isShown = next?.joint !== "|" || PASSES_ON.test(next.words[0] ?? "");
    if (writes.length > 0 || joint === "|" || !isShown || next?.joint === "&") continue;
    const runner =
      dynamic || Object.keys({...o.env, ...env}).some((key) => GIVES_OPTIONS.test(key)) ? null : runnerOf(command, o);
    if (runner !== null) return runner;
    for (const body of readScriptBodies(words, o) ?? []) {
      const key = `${body.cwd}\n${body.text}`;
      if (seen.has(key) || seen.size > MOST_BODIES) continue;
      seen.add(key);
      const found = findCountingRunner(body.text, {...o, cwd: body.cwd}, seen);
      if (found !== null) return found;
    }
  }
  return null;
}

function runnerOf({words}: SimpleCommand, {project, cwd}: Where): string | null {
  const tool = toolOf(words);
  const own = unwrap(words).slice(1);
  const row = RUNNERS.find((one) => one.tool.test(tool));
  if (row === undefined || own.some((word) => NO_RUN.test(word) || row.unless?.test(word) === true)) return null;
  const files = [".", cwd].flatMap((folder) => (row.settings?.files ?? []).map((file) => inside(folder, file)));
  const isOther = files.some(
    (file) => project.has(file) && row.settings?.says.test(project.text(file) ?? "") !== false,
  );
  return isOther ? null : tool;
}
