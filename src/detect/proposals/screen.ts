/** The safety screen: decides from the words of a shell line whether it may run as a check. */
import {memoize} from "../../shell/memoize.ts";
import {baseName, packageProgramIn} from "../../shell/program.ts";
import {assignments, quoteWords} from "../../shell/quote.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {COMMANDS, programsWith} from "../../tools/all-commands.ts";
import {toolOf, unwrap, VALUED} from "../../tools/command-name.ts";
import type {UnsafeCommand, UnsafeKind} from "../../tools/tool-command.ts";
import {interpretedFile, screenFileName} from "./interpreted-file.ts";
import {
  BROWSER_TESTS,
  EXCLUDING_OPTION,
  INSTALLING_OPTION,
  SCREEN_RULES,
  SERVER_NAME,
  UNSAFE_NAMES,
  UPDATES_BY_U,
  WATCHES_BY_W,
  WATCHING_OPTION,
  WRITING_OPTION,
} from "./screen-rules.ts";

/**
 * The result for a line. `instead` is a safe variant of the check: one-shot for a watcher, read-only for a writer, the
 * installed tool for a download. `byName`: only the name of a script or target is unsafe. `unknown`: the line cannot be
 * parsed, so it is neither safe nor unsafe.
 */
export type Screening =
  | {readonly kind: "ok"}
  | {readonly kind: "placeholder"; readonly why: string}
  | {readonly kind: "unknown"; readonly why: string}
  | {readonly kind: UnsafeKind; readonly why: string; readonly instead?: string; readonly byName?: true};

/** The result for one command, or for a name. */
export type CommandScreening = Exclude<Screening, {kind: "placeholder"}>;

const OK: CommandScreening = {kind: "ok"};
const NO_EFFECT = new Set(["echo", "printf", "true", "false", ":", "exit"]);
/** Part of a name with which a writing tool only checks: `fmt-check`. */
const READ_ONLY_NAME = /^(check|verify|diff|dry|dryrun|lint|test|ci)$/;
/** Part of a name that marks a check, whatever the other parts are. */
const CHECK_NAME = /^(tests?|lint|check|checks|typecheck|types|unit|build|verify|validate|ci|coverage)$/;
const EFFECTS = {
  watch: "keeps running and waits for changes",
  mutates: "rewrites files",
  browser: "needs a browser, an emulator or a desktop",
  service: "needs a service or an account that is not available",
  release: "releases or pushes",
  server: "starts a server",
  download: "installs or downloads",
  privileged: "needs administrator rights",
} as const satisfies Record<UnsafeKind, string>;

/** Screens a shell line. A line that cannot be parsed is `unknown`; a line with one unsafe command is unsafe. */
export const screen: (line: string) => Screening = memoize(screenLine);

/** The safe variant of a line, if the safety screen knows one; otherwise the line itself. */
export function safeVariant(line: string): string {
  const screening = screen(line);
  return "instead" in screening ? (screening.instead ?? line) : line;
}

function screenLine(line: string): Screening {
  const commands = splitShell(line);
  if (commands === null) return {kind: "unknown", why: "only a shell can parse this line"};
  const hasNoEffect = ({words, writes}: SimpleCommand): boolean =>
    NO_EFFECT.has(words[0] ?? ":") && writes.every((path) => path.startsWith("/dev/"));
  if (commands.every(hasNoEffect)) return {kind: "placeholder", why: "it only prints a message"};
  if (/(^|[^&])&\s*$/.test(line) || commands.some((command) => command.joint === "&"))
    return {kind: "server", why: "leaves a process in the background"};
  const screenings = commands.map((command) => ({command, screening: screenCommand(command)}));
  const problem = screenings.map(({screening}) => screening).find(({kind}) => kind !== "ok") ?? OK;
  if (problem.kind === "ok" || problem.kind === "unknown") return problem;
  const {kind, why, byName} = problem;
  const instead = rebuildLine(line, screenings);
  return {kind, why, ...(instead !== null && {instead}), ...(byName && {byName})};
}

/** Screens the name of a script or target whose body is unknown. */
export function screenName(name: string): CommandScreening {
  const parts = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const unsafeName = (kind: UnsafeKind): CommandScreening => ({
    kind,
    why: `its name says that it ${EFFECTS[kind]}`,
    byName: true,
  });
  for (const [kind, pattern] of UNSAFE_NAMES) {
    const part = parts.find((word) => pattern.test(word));
    if (part === undefined) continue;
    if (kind === "mutates" && part !== "fix" && parts.some((word) => READ_ONLY_NAME.test(word))) continue;
    return unsafeName(kind);
  }
  if (/[-_:.]ui$/i.test(name)) return unsafeName("watch");
  const isServer = parts.some((word) => SERVER_NAME.test(word)) && !parts.some((word) => CHECK_NAME.test(word));
  return isServer ? unsafeName("server") : OK;
}

function screenCommand(command: SimpleCommand): CommandScreening {
  const {words} = command;
  const startedWords = unwrap(words);
  const packagedProgram = packageProgramIn(startedWords);
  const file = interpretedFile(startedWords);
  // `php artisan serve` is judged as `artisan serve`.
  const direct = file !== null && RULES_BY_PROGRAM.has(file[0] ?? "") ? file : startedWords;
  const bare =
    packagedProgram === null
      ? direct
      : [packagedProgram, ...startedWords.slice(startedWords.findIndex((word) => /node_modules\//.test(word)) + 1)];
  const [program = ""] = bare;
  if ((program === "sh" || program === "bash") && bare[1] === "-c" && bare[2] !== undefined) {
    const inner = screen(bare[2]);
    return inner.kind === "placeholder" ? OK : inner;
  }
  if (program === "eval" || program === "source" || program === ".")
    return {kind: "unknown", why: `\`${program}\` hides what runs`};
  const unsafeUse =
    screenByRule(command, bare) ?? screenWatchMode(command, bare) ?? screenOptions(command, bare) ?? screenTests(bare);
  if (unsafeUse !== null) return unsafeUse;
  const byFile = screenFileName(startedWords);
  if (byFile !== null) return unsafe(byFile, `\`${nameOf(startedWords)}\``, null);
  const script = /^(?:script|make|just|task|mise(?: run| r)?|poe) (\S+)/.exec(toolOf(words))?.[1];
  // A computed name, or the name of a file, shows nothing.
  const byName = script === undefined || /[$/]|\.\w+$/.test(script) ? OK : screenName(script);
  if (byName.kind !== "ok") return byName;
  return screenLauncher(command, bare);
}

function screenByRule(command: SimpleCommand, bare: readonly string[]): CommandScreening | null {
  const rule = ruleFor(bare);
  if (rule === null) return null;
  // The folder of installed programs is in front of PATH, so a packaged tool needs no launcher.
  const launcher =
    packageProgramIn(unwrap(command.words)) === null ? command.words.slice(0, command.words.length - bare.length) : [];
  const safe = rule.drop || rule.swap || rule.add ? [...launcher, ...safeWords(rule, bare)] : null;
  return unsafe(
    rule.kind ?? "mutates",
    `\`${nameOf(bare)}\``,
    safe === null ? null : lineOf(command, withoutNpx(safe)),
  );
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
  const mode = COMMANDS.find(
    ({programs, watchMode}) => watchMode !== undefined && programs?.includes(program),
  )?.watchMode;
  if (mode === undefined) return null;
  const options = [...rest, subcommand].filter((word) => word.startsWith("-"));
  if ([subcommand, ...options].some((word) => mode.ends.test(word))) return null;
  const remaining = (mode.subcommands.includes(subcommand) ? rest : bare.slice(1)).filter(
    (word) => !WATCHING_OPTION.test(word) && word !== "-w",
  );
  return unsafe(
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
  const writes = (word: string): boolean => WRITING_OPTION.test(word) || (word === "-u" && UPDATES_BY_U.has(program));
  const lineWithout = (isUnsafe: (word: string) => boolean): string =>
    lineOf(
      command,
      withoutNpx(command.words).filter((word) => !isUnsafe(word)),
    );
  const isNode = ["node", "bun", "deno", "tsx", "nodemon"].includes(program);
  const description = (option: string): string => `\`${nameOf(bare)}\` with ${option} option`;
  if (options.some(watches)) {
    const isServer = isNode && !options.includes("--test");
    return unsafe("watch", description("a watching"), isServer ? null : lineWithout(watches));
  }
  if (options.some(writes)) return unsafe("mutates", description("a writing"), lineWithout(writes));
  if (options.some((word) => INSTALLING_OPTION.test(word)))
    return unsafe("download", description("an installing"), null);
  return null;
}

const MAY_TEST_BROWSERS = programsWith("may test browsers");

/** A unit test runner that is given end-to-end tests. */
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
  return isEndToEnd ? unsafe("browser", `\`${program}\` of end-to-end tests`, null) : null;
}

/** `npx` and similar launchers download missing tools; an installed tool can be started by its name. */
function screenLauncher(command: SimpleCommand, bare: readonly string[]): CommandScreening {
  const [first = "", second = ""] = command.words.map(baseName);
  const dlx = ["uvx", "pnpx"].includes(first) || second === "dlx" || (first === "pipx" && second === "run");
  if (dlx) return unsafe("download", `\`${first}\``, null);
  const npx =
    ["npx", "bunx"].includes(first) || ((first === "npm" || first === "bun") && ["exec", "x"].includes(second));
  if (!npx || command.words.some((word) => /^--(no|no-install|offline)$/.test(word))) return OK;
  return unsafe(
    "download",
    `\`${first}\` of a tool that may not be installed`,
    /[@/]/.test(bare[0] ?? "@") ? null : lineOf(command, bare),
  );
}

interface CompiledRule {
  readonly rule: UnsafeCommand;
  /** one test per word after the program: plain words are matched in order, options in any order */
  readonly tests: readonly {readonly sort: "plain" | "option" | "absent"; readonly any: ReadonlySet<string>}[];
}

/** Indexed by program, because a plan may screen thousands of scripts. */
const RULES_BY_PROGRAM: ReadonlyMap<string, readonly CompiledRule[]> = compileRules();

function compileRules(): Map<string, CompiledRule[]> {
  const byProgram = new Map<string, CompiledRule[]>();
  for (const rule of SCREEN_RULES) {
    const [programs = "", ...tokens] = rule.match.split(" ");
    const tests = tokens.map((token): CompiledRule["tests"][number] => ({
      sort: token.startsWith("!") ? "absent" : token.startsWith("-") ? "option" : "plain",
      any: new Set(token.replace(/^!/, "").split("|")),
    }));
    for (const program of programs.split("|"))
      byProgram.set(program, [...(byProgram.get(program) ?? []), {rule, tests}]);
  }
  return byProgram;
}

function ruleFor(bare: readonly string[]): UnsafeCommand | null {
  const [program = "", ...rest] = bare;
  // `cargo +nightly fmt`: a toolchain is not a subcommand.
  const operands = rest.filter((word, i) => !/^[-+]/.test(word) && !VALUED.has(rest[i - 1] ?? ""));
  const options = new Set(rest.flatMap((word) => [word, word.split("=")[0] ?? word]));
  const matchesRule = ({tests}: CompiledRule): boolean => {
    let position = 0;
    return tests.every(({sort, any}) => {
      if (sort === "plain") return any.has(operands[position++] ?? "");
      return [...any].some((option) => options.has(option)) === (sort === "option");
    });
  };
  return RULES_BY_PROGRAM.get(program)?.find(matchesRule)?.rule ?? null;
}

function unsafe(kind: UnsafeKind, what: string, instead: string | null): CommandScreening {
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
    if (!["start", "&&", ";"].includes(command.joint)) return null;
    if (screening.kind === "ok") parts.push(line.slice(command.start, command.end).trim());
    else if (screening.kind === "unknown") return null;
    else if (screening.instead !== undefined) parts.push(screening.instead);
    // The setup installs dependencies before any stage runs, so a download may be dropped.
    else if (screening.kind !== "download") return null;
  }
  return parts.length > 0 ? parts.join(" && ") : null;
}
