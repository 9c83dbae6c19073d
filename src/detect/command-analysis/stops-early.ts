/** Whether a failing test keeps later tests from running, told from settings of runners, makefiles and shell files: such a base is no comparison (P15). */

import {toolOf} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {kindOfWords} from "../../shell/stage-kind.ts";
import {enter} from "../ci/lines.ts";
import {valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {applyShellOptions, readScriptBodies, type ShellMode, STAGE_SHELL} from "./script-bodies.ts";

interface BailSetting {
  readonly tool: RegExp;
  readonly files: readonly string[];
  readonly says: RegExp;
  /** the same in this key of package.json */
  readonly key?: readonly string[];
}

const ENDINGS = ["ts", "mts", "cts", "js", "mjs", "cjs", "json", "jsonc", "yml", "yaml"];
const named = (...names: readonly string[]) => names.flatMap((name) => ENDINGS.map((end) => `${name}.${end}`));

/** Settings by which a runner ends at a failing test and does not say so. Others say it in their output. */
const BAIL_SETTINGS: readonly BailSetting[] = [
  {tool: /^mocha$/, files: named(".mocharc"), says: /\bbail\b(?!["']?\s*[:=]\s*false)/, key: ["mocha", "bail"]},
  {tool: /^jest$/, files: named("jest.config"), says: /\bbail\b(?!["']?\s*[:=]\s*(?:false|0))/, key: ["jest", "bail"]},
  {
    tool: /^vitest$/,
    files: named("vitest.config", "vite.config", "vitest.workspace"),
    says: /\bbail\b(?!["']?\s*[:=]\s*0)/,
  },
  {tool: /^ava$/, files: named("ava.config"), says: /\bfailFast\b/, key: ["ava", "failFast"]},
  {tool: /^rspec$/, files: [".rspec"], says: /--fail-fast/},
  {
    tool: /^(?:phpunit|pest)$/,
    files: ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"],
    says: /\bstopOn\w+="true"/,
  },
  // Unit tests that fail end Maven's life cycle before the integration tests.
  {tool: /^mvn .*\b(?:verify|install|deploy)\b/, files: ["pom.xml"], says: /maven-failsafe-plugin/},
];
/** Commands that check nothing. */
const IDLE = /^(?:echo|printf|true|:|cd|pushd|popd|set|export|exit|mkdir|rm|cp|mv|sleep|test|\[)$/;
const MOST_STEPS = 200;

interface Step {
  readonly words: readonly string[];
  readonly cwd: string;
  /** where it fails, the steps behind it do not run */
  readonly isLast: boolean;
  /** it stands in a file that the line starts; what the line and its scripts say is known where outputs are compared */
  readonly isInFile: boolean;
}

/** Empty where each test is started whatever fails, or nothing says otherwise. */
export function explainEarlyStop(line: string, where: {project: Project; cwd: string}): string {
  const steps = stepsOf(line, {...where, mode: STAGE_SHELL, isInFile: false, depth: 0});
  for (const [i, {words, cwd, isLast, isInFile}] of steps.entries()) {
    const setting = bailSetting(words, {...where, cwd});
    if (setting !== null) return `\`${toolOf(words)}\` stops at the first failure (${setting})`;
    const isTest = kindOfWords(words) === "test";
    if (isTest && isInFile && !isLast && i < steps.length - 1)
      return `what comes after \`${words.join(" ")}\` may not have run`;
  }
  return "";
}

interface Walk {
  readonly project: Project;
  readonly cwd: string;
  readonly mode: ShellMode;
  readonly isInFile: boolean;
  readonly depth: number;
}

/** The plain commands behind a text, in order. `isLast` is true for those whose failure stops nothing. */
function stepsOf(text: string, walk: Walk): Step[] {
  const commands = splitShell(text) ?? [];
  const steps: Step[] = [];
  let {cwd, mode} = walk;
  for (const [i, {words, joint}] of commands.entries()) {
    const [name = ""] = words;
    if (name === "set") mode = applyShellOptions(words.slice(1), mode);
    if (name === "cd") cwd = enter(cwd, words[1] ?? "") ?? cwd;
    if (joint === "|" || words.length === 0 || IDLE.test(name) || steps.length > MOST_STEPS) continue;
    const isLast = !mode.stopsAtFailure && commands[i + 1]?.joint !== "&&";
    const bodies = walk.depth > 5 ? null : readScriptBodies(words, {project: walk.project, cwd});
    if (bodies === null) steps.push({words, cwd, isLast, isInFile: walk.isInFile});
    for (const [at, body] of (bodies ?? []).entries()) {
      const isInFile = walk.isInFile || !/^script `/.test(body.place);
      const inner = stepsOf(body.text, {...walk, cwd: body.cwd, mode: body.mode, isInFile, depth: walk.depth + 1});
      // The end of a body stops the next one, as a line of a recipe does, and what stands behind the command.
      const isStopping = !body.isIgnored && (at < (bodies ?? []).length - 1 || !isLast);
      steps.push(...inner.map((step, k) => (k === inner.length - 1 ? {...step, isLast: !isStopping} : step)));
    }
  }
  return steps;
}

/** The file, or the key, that has it; null where none has. */
function bailSetting(words: readonly string[], {project, cwd}: {project: Project; cwd: string}): string | null {
  const tool = toolOf(words);
  for (const {files, says, key} of BAIL_SETTINGS.filter((row) => row.tool.test(tool))) {
    for (const folder of new Set([cwd, "."])) {
      const file = files.map((name) => inside(folder, name)).find((path) => says.test(project.text(path) ?? ""));
      if (file !== undefined) return file;
      const value = key === undefined ? undefined : valueAt(project.json(inside(folder, "package.json")), ...key);
      if (value !== undefined && value !== false && value !== 0) return `${key?.join(".")} of package.json`;
    }
  }
  return null;
}
