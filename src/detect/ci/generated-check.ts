/** Joins steps of CI that rewrite files with the step that lets git compare them: together they are one check. */

import {baseName} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {unwrap} from "../../tools/command-name.ts";
import {nameSet} from "../../tools/names.ts";
import {onlyPrepares} from "../../tools/stage-kind.ts";
import type {Project} from "../files/project.ts";
import {comparesFiles} from "../proposals/compared-files.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {requiredTools} from "../proposals/task-runners.ts";
import {isPlain} from "../scripts/shell-values.ts";
import {bodyOf} from "./bodies.ts";
import {findUnreadiness} from "./classify-command.ts";
import type {OrderedCommand} from "./set-up-steps.ts";

/** Commands that rewrite no file of the tree that a later step could compare. */
const WRITES_NOTHING = nameSet(
  "git gh file ls cat echo printf test [ pwd env which chmod mkdir rm cp mv touch tar unzip curl wget",
  "sleep df free corepack rustup asdf apt apt-get sudo brew cpanm cpm opam luarocks nimble ghcup conan",
  "vcpkg yq jq shopt set export cd source . true exit",
);
const INSTALLS = nameSet(
  "ci i install add sync restore fetch download pull update upgrade version login config tool global",
);
const MAX_WRITERS = 6;

/** The check that a comparison makes of the commands before it in its job; null if none of them rewrites files. */
export function generatedCheck(
  project: Project,
  before: readonly OrderedCommand[],
  at: OrderedCommand,
): CandidateStage | null {
  const {command, script} = at;
  if (script.job === undefined || !failsOnDifference(at)) return null;
  const writers: OrderedCommand[] = [];
  for (const entry of before.toReversed()) {
    const isOfJob = entry.script.job === script.job && entry.script.file === script.file;
    if (!isOfJob || comparesFiles(entry.command.text) || writers.length === MAX_WRITERS) break;
    if (!mayWrite(project, entry)) {
      // A line that cannot be repeated here, such as `make -j"$(nproc)"`, may have written what is compared.
      if (writers.length > 0 || mayWriteUnseen(entry)) break;
      continue;
    }
    if (entry.command.cwd !== command.cwd) break;
    writers.unshift(entry);
  }
  const [first] = writers;
  if (first === undefined || writers.some(({script: {blocked = null}}) => blocked !== null)) return null;
  // Without the steps that create its makefile or its input, the chain cannot start.
  if (findUnreadiness(project, first.command) !== null || usesDownload(before, first)) return null;
  const isDiff = command.trouble === null && isLiteral(command) && command.words[1] !== "status";
  const ownText = isDiff ? command.raws.join(" ") : statusCheck(project, command.text);
  const lines = writers.map((entry) => [...assignmentsOf(entry), ...entry.command.raws].join(" "));
  const bodies = writers.flatMap(({command: {cwd, words}}, i) => bodyOf({project, cwd, words}) ?? [lines[i] ?? ""]);
  return {
    kind: "check",
    command: [...lines, ownText].join(" && "),
    cwd: command.cwd,
    origin: {file: script.file, key: first.script.key, why: "CI rewrites files with it, and then compares them"},
    evidence: "ci",
    tools: requiredTools(lines[0] ?? ""),
    runs: [...lines, ...bodies, ownText],
  };
}

/** True for a comparison that fails the step. Other steps only find out whether there is something to commit. */
function failsOnDifference({command, script: {text = ""}}: OrderedCommand): boolean {
  if (!comparesFiles(command.text) || /\bgit (commit|push)\b/.test(text)) return false;
  if (command.trouble === null && command.words[1] !== "status") return true;
  return ["test", "[", "[["].includes(command.words[0] ?? "") || /\bexit [1-9]/.test(text);
}

/**
 * As `git status` also tells of new files, so does the check, unless CI reads only some lines of it. Only the set-up of a
 * check leaves an environment of Python in the checkout.
 */
function statusCheck(project: Project, text: string): string {
  const [status] = /\bgit (?:-\S+ )*status\b[^|;&)`"]*?(?=\s*(?:[)`]|$|\| *wc\b))/.exec(text) ?? [];
  if (status === undefined) return "git diff --exit-code";
  const isPython = ["pyproject.toml", "requirements.txt", "setup.py"].some((file) => project.has(file));
  const isWhole = isPython && !/ [^-]/.test(status.replace(/^.*? status/, ""));
  return `test -z "$(${status}${isWhole ? " -- :/ ':(exclude,top,glob)**/.venv/**'" : ""})"`;
}

const mayWriteUnseen = ({command}: OrderedCommand): boolean =>
  !isLiteral(command) && !WRITES_NOTHING.has(baseName(unwrap(command.words)[0] ?? ""));

/** True for a file among its words that an earlier command of its step downloads: `curl -LO https://a.b/zones.xml`. */
function usesDownload(before: readonly OrderedCommand[], {command, script}: OrderedCommand): boolean {
  const downloads = before.filter(
    (one) => one.script === script && ["curl", "wget"].includes(one.command.words[0] ?? ""),
  );
  const names = command.words.slice(1).map(baseName);
  return downloads.some(({command: {words}}) => words.slice(1).some((word) => names.includes(baseName(word))));
}

const isLiteral = ({raws, before = "", input = ""}: OrderedCommand["command"]): boolean =>
  before + input === "" && raws.every((raw) => !/[$`\n]|<\(|^[^'"]*\*\*/.test(raw));

const assignmentsOf = ({command}: OrderedCommand): string[] =>
  Object.entries(command.env).flatMap(([name, value]) => (isPlain(value) ? [`${name}=${value}`] : []));

/** True for a command that may rewrite tracked files and is no check by itself. */
function mayWrite(project: Project, {command, kind, isDependent}: OrderedCommand): boolean {
  const {words, raws, trouble} = command;
  if (isDependent || trouble !== null || !isLiteral(command) || splitShell(raws.join(" ")) === null) return false;
  const body = bodyOf({project, cwd: command.cwd, words}) ?? [];
  if (body.length > 0 && body.every(comparesFiles)) return false;
  const screening = screen(raws.join(" "));
  if (screening.kind === "mutates") return true;
  const [program = "", first = ""] = unwrap(words);
  if (screening.kind !== "ok" || kind !== null || onlyPrepares(words)) return false;
  return (
    !WRITES_NOTHING.has(baseName(program)) &&
    !INSTALLS.has(first) &&
    !words.some((word) => ["-version", "-help", "-V", "--version", "--help", "--V"].includes(word))
  );
}
