/** The safety screen: decides from the words of a shell line whether it may run as a check. */

import {memoize} from "../../shell/memoize.ts";
import {baseName, packageProgramIn} from "../../shell/program.ts";
import {assignments, quoteWords} from "../../shell/quote.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {outerSubstitutionsIn} from "../../shell/tree.ts";
import {programsWith} from "../../tools/all-commands.ts";
import {STARTS_SCRIPTS, toolOf, unwrap} from "../../tools/command-name.ts";
import {kindOfName, rehearsesRelease} from "../../tools/stage-kind.ts";
import type {UnsafeCommand, UnsafeKind} from "../../tools/tool-command.ts";
import {vitestCommand, WATCH_MODE} from "../../tools/vitest.ts";
import {endOfComparison} from "./compared-files.ts";
import {interpretedFile, screenFileName} from "./interpreted-file.ts";
import {hasRules, ruleFor} from "./match-rule.ts";
import {
  type CommandScreening,
  EFFECTS,
  OK,
  READ_ONLY_NAME,
  type Screening,
  screenName,
  type UnsafeScreening,
} from "./screen-name.ts";
import {
  BROWSER_TESTS,
  EXCLUDING_OPTION,
  INSTALLING_OPTION,
  UPDATES_BY_U,
  WATCHES_BY_W,
  WATCHING_OPTION,
  WRITING_OPTION,
} from "./screen-rules.ts";

/** Programs that only read their input as text. */
const READS_INPUT = new Set(["cat", "tee", "grep", "sed", "jq", "test", "read"]);
const NO_EFFECT = new Set(["echo", "printf", "true", "false", ":", "exit"]);

/** Screens a shell line. A line that cannot be parsed is `unknown`; a line with one unsafe command is unsafe. */
export const screen: (line: string) => Screening = memoize(screenLine);

/** The safe variant of a line, if the safety screen knows one; otherwise the line itself. */
export function safeVariant(line: string): string {
  const screening = screen(line);
  return "instead" in screening ? (screening.instead ?? line) : line;
}

function screenLine(line: string): Screening {
  const inner = (/\$\(|`|[<>]\(/.test(line) ? outerSubstitutionsIn(line) : [])
    .map(({text, opens}) => ({screening: screen(text), opens}))
    .find(({screening, opens}) => (opens === "<(" ? !isHarmless(screening) : isUnsafe(screening)))?.screening;
  // Without this command the line means something else.
  if (inner !== undefined && "why" in inner) return {kind: inner.kind, why: inner.why};
  const commands = splitShell(line);
  if (commands === null) return {kind: "unknown", why: "only a shell can parse this line"};
  const hasNoEffect = ({words, writes}: SimpleCommand): boolean =>
    NO_EFFECT.has(words[0] ?? ":") && writes.every((path) => path.startsWith("/dev/"));
  if (commands.every(hasNoEffect)) return {kind: "placeholder", why: "it only prints a message"};
  if (commands.some(({isBackground}) => isBackground))
    return {kind: "server", why: "leaves a process in the background"};
  const compared = endOfComparison(line, commands);
  // What a line rewrites before it lets git compare the files fails the line: it checks generated files.
  const screenings = commands.map((command) => {
    const screening = screenCommand(command);
    return {command, screening: screening.kind === "mutates" && command.end < compared ? OK : screening};
  });
  const problem = screenings.map(({screening}) => screening).find(({kind}) => kind !== "ok") ?? OK;
  if (problem.kind === "ok" || problem.kind === "unknown") return problem;
  const {kind, why, byName} = problem;
  const instead = rebuildLine(line, screenings);
  return {kind, why, ...(instead !== null && {instead}), ...(byName && {byName})};
}

/** True for what does harm within another command; the path of an installed program is often asked for there. */
const isUnsafe = (screening: Screening): screening is UnsafeScreening =>
  !["ok", "unknown", "placeholder", "download", "privileged"].includes(screening.kind);

const isHarmless = ({kind}: Screening): boolean => kind === "ok" || kind === "placeholder";

function screenCommand(command: SimpleCommand): CommandScreening {
  const {words, input} = command;
  if (input !== null && !READS_INPUT.has(words[0] ?? ""))
    return {kind: "unknown", why: "its here-document may hold what runs"};
  const startedWords = unwrap(words);
  const packagedProgram = packageProgramIn(startedWords);
  const file = interpretedFile(startedWords);
  // `php artisan serve` is screened as `artisan serve`.
  const direct = file !== null && hasRules(file[0] ?? "") ? file : startedWords;
  const bare =
    packagedProgram === null
      ? direct
      : [packagedProgram, ...startedWords.slice(startedWords.findIndex((word) => word.includes("node_modules/")) + 1)];
  const [program = ""] = bare;
  const code = ["sh", "bash", "dash", "zsh"].includes(program) ? codeIn(bare) : undefined;
  if (code !== undefined) {
    const inner = screen(code);
    return inner.kind === "placeholder" ? OK : inner;
  }
  const executed =
    program === "find" ? bare.findIndex((word) => ["-exec", "-execdir", "-ok", "-okdir"].includes(word)) : -1;
  if (executed > 0) {
    const executedWords = bare.slice(executed + 1).filter((word) => ![";", "\\;", "+", "{}"].includes(word));
    const inner = screen(executedWords.map(quoteWords).join(" "));
    return inner.kind === "placeholder" ? OK : inner;
  }
  if (program === "setsid") return {kind: "server", why: "`setsid` without `--wait` may end before what it starts"};
  if (program === "eval" || program === "source" || program === ".")
    return {kind: "unknown", why: `\`${program}\` hides what runs`};
  const unsafeUse =
    screenByRule(command, bare) ??
    screenWatchMode(command, bare) ??
    screenOptions(command, bare) ??
    screenTests(bare) ??
    screenTargets(command, bare);
  if (unsafeUse !== null) return unsafeUse;
  if (rehearsesRelease(words)) return screenLauncher(command, bare);
  const byFile = screenFileName(startedWords);
  if (byFile !== null) return unsafeScreening(byFile, `\`${nameOf(startedWords)}\``, null);
  const isOfHatch = words.includes("hatch") && words.includes("run");
  const script = isOfHatch ? program : /^(?:script|make|just|task|mise(?: run| r)?|poe) (\S+)/.exec(toolOf(words))?.[1];
  // A computed name, or a file's name, shows nothing.
  const byName = script === undefined || /[$/]|\.\w+$/.test(script) ? OK : screenName(script);
  // `npm run snapshots -- check` only reads, and `just _run-with-status lint-check` runs that check.
  const lastWord = words.at(-1) ?? "";
  const isCheck =
    byName.kind === "mutates"
      ? READ_ONLY_NAME.has(lastWord)
      : byName.kind === "server" && lastWord !== script && /(^|[-_:])(check|lint|tests?)$/.test(lastWord);
  if (byName.kind !== "ok" && !isCheck)
    return {...byName, why: byName.why.replace("its name", `the name \`${script}\``)};
  return screenLauncher(command, bare);
}

/** The code that a shell is given: the first word after `-c` and further options. */
function codeIn(words: readonly string[]): string | undefined {
  const option = words.findIndex((word, i) => i > 0 && /^-[a-z]*c[a-z]*$/.test(word));
  return option < 0
    ? undefined
    : words.find((word, i) => i > option && !/^[-+]/.test(word) && !/^[-+][a-z]*o$/.test(words[i - 1] ?? ""));
}

function screenByRule(command: SimpleCommand, bare: readonly string[]): CommandScreening | null {
  const rule = ruleFor(bare);
  if (rule === null) return null;
  // The folder of installed programs is in front of PATH, so a packaged tool needs no launcher.
  const launcher =
    packageProgramIn(unwrap(command.words)) === null ? command.words.slice(0, command.words.length - bare.length) : [];
  const isFetched = command.words[0] === "go" && command.words[1] === "run" && bare[0] !== "go";
  const safe = !isFetched && (rule.drop || rule.swap || rule.add) ? [...launcher, ...safeWords(rule, bare)] : null;
  const instead = safe === null ? null : lineOf(command, withoutNpx(safe));
  const screening = unsafeScreening(rule.kind ?? "mutates", `\`${nameOf(bare)}\``, instead);
  return rule.why === undefined ? screening : {...screening, why: `\`${nameOf(bare)}\` ${rule.why}`};
}

function safeWords(rule: UnsafeCommand, bare: readonly string[]): string[] {
  // Many tools stop parsing options at the first path, so the options are added directly after the subcommand.
  const subcommands = rule.match.split(" ").filter((token) => !token.startsWith("!") && !token.startsWith("-")).length;
  const head = subcommands + Number(bare[1]?.startsWith("+") === true);
  const words = [...bare.slice(0, head), ...(rule.add ?? []), ...bare.slice(head)];
  return words.filter((word) => !rule.drop?.includes(word)).map((word) => rule.swap?.[word] ?? word);
}

/** A tool that watches by default, unless it detects CI. */
function screenWatchMode(command: SimpleCommand, bare: readonly string[]): CommandScreening | null {
  const [program = "", subcommand = "", ...rest] = bare;
  if (vitestCommand.programs?.includes(program) !== true) return null;
  const mode = WATCH_MODE;
  const options = [...rest, subcommand].filter((word) => word.startsWith("-"));
  if ([subcommand, ...options].some((word) => mode.ends.has(word)) || rest.at(-1) === mode.once) return null;
  const remaining = (mode.subcommands.includes(subcommand) ? rest : bare.slice(1)).filter(
    (word) => !WATCHING_OPTION.test(word) && word !== "-w",
  );
  return unsafeScreening(
    "watch",
    `\`${program}\` without \`${mode.once}\``,
    lineOf(command, [program, mode.once, ...remaining]),
  );
}

function screenOptions(command: SimpleCommand, bare: readonly string[]): CommandScreening | null {
  const [program = "", ...options] = bare;
  // Mocha's `--ui tdd` selects its test interface.
  const isMochaInterface = (word: string): boolean =>
    word === "--ui" && /^\w/.test(options[options.indexOf(word) + 1] ?? "");
  const watches = (word: string): boolean =>
    (WATCHING_OPTION.test(word) && !isMochaInterface(word)) || (word === "-w" && WATCHES_BY_W.has(program));
  // A runner hands the option to the test runner behind its task.
  const updates = UPDATES_BY_U.has(program) || (HANDS_OPTIONS_ON.has(program) && options.some(isTestTask));
  const writes = (word: string): boolean => WRITING_OPTION.test(word) || (word === "-u" && updates);
  const lineWithout = (isUnsafe: (word: string) => boolean): string =>
    lineOf(
      command,
      withoutNpx(command.words).filter((word) => !isUnsafe(word)),
    );
  const isNode = ["node", "bun", "deno", "tsx", "nodemon"].includes(program);
  const description = (option: string): string => `\`${nameOf(bare)}\` with ${option} option`;
  if (options.some(watches)) {
    const isServer = isNode && !options.includes("--test");
    return unsafeScreening("watch", description("a watching"), isServer ? null : lineWithout(watches));
  }
  if (options.some(writes)) return unsafeScreening("mutates", description("a writing"), lineWithout(writes));
  if (options.some((word) => INSTALLING_OPTION.test(word)))
    return unsafeScreening("download", description("an installing"), null);
  return null;
}

const HANDS_OPTIONS_ON = new Set([...STARTS_SCRIPTS, "npm", "pnpm", "yarn", "bun"]);

const isTestTask = (word: string): boolean => kindOfName(word.replace(/^.*:(?=\w+$)/, "")) === "test";

const MAY_TEST_BROWSERS = programsWith("may test browsers");

/** Screens a unit test runner that is given end-to-end tests. */
function screenTests(bare: readonly string[]): CommandScreening | null {
  const [program = "", ...rest] = bare;
  if (!MAY_TEST_BROWSERS.has(program)) return null;
  const isEndToEnd = rest.some(
    (word, i) =>
      BROWSER_TESTS.test(word) &&
      !/[!\s]/.test(word) &&
      !EXCLUDING_OPTION.test(word) &&
      !EXCLUDING_OPTION.test(rest[i - 1]?.match(/^-.*/)?.[0] ?? ""),
  );
  return isEndToEnd ? unsafeScreening("browser", `\`${program}\` of end-to-end tests`, null) : null;
}

const HAVE_TARGETS = programsWith("targets by -t");

/** Screens a runner of several targets. If one of them starts a browser, the others run without it. */
function screenTargets(command: SimpleCommand, bare: readonly string[]): CommandScreening | null {
  const option = bare.findIndex((word) => /^(-t|--targets?)(=|$)/.test(word));
  if (!HAVE_TARGETS.has(bare[0] ?? "") || option < 0) return null;
  const first = bare[option]?.includes("=") ? option : option + 1;
  const end = bare.findIndex((word, i) => i > option && word.startsWith("-"));
  const lists = bare.slice(first, first === option ? option + 1 : end < 0 ? undefined : end);
  const needsBrowser = (target: string): boolean => screenName(target.replace(/^.*=/, "")).kind === "browser";
  const unsafeTarget = lists.flatMap((list) => list.split(",")).find(needsBrowser);
  if (unsafeTarget === undefined) return null;
  const remaining = command.words.flatMap((word) => {
    const others = word.split(",").filter((target) => !needsBrowser(target));
    return lists.includes(word) ? others.join(",") || [] : [word];
  });
  const isEmpty = !lists.some((list) => list.split(",").some((target) => !needsBrowser(target)));
  return unsafeScreening("browser", `the target \`${unsafeTarget}\``, isEmpty ? null : lineOf(command, remaining));
}

/** `npx` and similar launchers download missing tools; an installed tool can be started by its name. */
function screenLauncher(command: SimpleCommand, bare: readonly string[]): CommandScreening {
  const [first = "", second = ""] = command.words.map(baseName);
  // The launcher may be asked for another version than the installed one.
  const isPinned = command.words.some((word) => /\w@[\w.^~]/.test(word));
  if (first === "go" && second === "run" && isPinned) return unsafeScreening("download", "`go run` of a version", null);
  const installedLine = isPinned || /[@/]/.test(bare[0] ?? "@") ? null : lineOf(command, bare);
  const ofPython = first === "uvx" || (first === "pipx" && second === "run");
  if (ofPython || first === "pnpx" || second === "dlx")
    return unsafeScreening("download", `\`${first}\``, ofPython ? installedLine : null);
  const npx =
    ["npx", "bunx"].includes(first) || ((first === "npm" || first === "bun") && ["exec", "x"].includes(second));
  if (!npx || command.words.some((word) => ["--no", "--no-install", "--offline"].includes(word))) return OK;
  return unsafeScreening("download", `\`${first}\` of a tool that may not be installed`, installedLine);
}

function unsafeScreening(kind: UnsafeKind, what: string, instead: string | null): UnsafeScreening {
  return {kind, why: `${what} ${EFFECTS[kind]}`, ...(instead === null ? {} : {instead})};
}

function withoutNpx(words: readonly string[]): readonly string[] {
  return ["npx", "bunx"].includes(words[0] ?? "") ? unwrap(words) : words;
}

function nameOf(bare: readonly string[]): string {
  const [program = "", next = ""] = bare;
  return /^[a-z]/.test(next) && !next.includes("/") ? `${program} ${next}` : program;
}

/** The line of these words, with the command's assignments and, if possible, its original quoting. */
function lineOf(command: SimpleCommand, words: readonly string[]): string {
  const raw = new Map(command.words.map((word, i) => [word, command.raws[i] ?? word]));
  return [...assignments(command.env), ...words.map((word) => raw.get(word) ?? quoteWords(word))].join(" ");
}

/** The line with the safe variant of each unsafe command, or null. */
function rebuildLine(
  line: string,
  screened: readonly {command: SimpleCommand; screening: CommandScreening}[],
): string | null {
  const parts: string[] = [];
  for (const {command, screening} of screened) {
    if (!["start", "&&", ";"].includes(command.joint) || command.isNegated || command.inside.length > 0) return null;
    if (screening.kind === "ok") parts.push(line.slice(command.start, command.end).trim());
    else if (screening.kind === "unknown") return null;
    else if (screening.instead !== undefined) parts.push(screening.instead);
    // The setup installs dependencies before any stage runs, so a download may be dropped.
    else if (screening.kind !== "download") return null;
  }
  return parts.length > 0 ? parts.join(" && ") : null;
}
