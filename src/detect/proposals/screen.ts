/** The safety screen: whether a shell line may run as a check, told from its words alone. */

import {memoize} from "../../shell/memoize.ts";
import {baseName, packagedIn, toolOf, unwrap, VALUED} from "../../shell/program.ts";
import {assignments, quoteWords} from "../../shell/quote.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {
  BROWSER_TESTS,
  EXCLUDING_OPTION,
  INSTALLING_OPTION,
  SCREEN_RULES,
  type ScreenRule,
  SERVER_NAME,
  UNSAFE_NAMES,
  type UnsafeKind,
  UPDATES_BY_U,
  WATCHES_BY_W,
  WATCHING_OPTION,
  WRITING_OPTION,
} from "./screen-rules.ts";

/**
 * What the screen says of a line. `instead` is the same check made safe: one-shot for a watcher, read-only for a writer, the
 * installed tool for a download. `byName`: only the name of a script or target says so. `unknown`: the line is too odd to be
 * read, so nothing is claimed about it.
 */
export type Screening =
  | {readonly kind: "ok"}
  | {readonly kind: "placeholder"; readonly why: string}
  | {readonly kind: "unknown"; readonly why: string}
  | {readonly kind: UnsafeKind; readonly why: string; readonly instead?: string; readonly byName?: true};

/** What is said of one command, or of a name. */
export type CommandScreening = Exclude<Screening, {kind: "placeholder"}>;

const OK: CommandScreening = {kind: "ok"};
const NOTHING_DONE = new Set(["echo", "printf", "true", "false", ":", "exit"]);
/** Part of a name that shows that the writing tool it names is only asked to look. */
const ONLY_LOOKS = /^(check|verify|diff|dry|dryrun|lint|test|ci)$/;
/** Part of a name that shows what it is for, whatever it is about. */
const CHECKS = /^(tests?|lint|check|checks|typecheck|types|unit|build|verify|validate|ci|coverage)$/;
const SAYS = {
  watch: "keeps running and waits for changes",
  mutates: "rewrites files",
  browser: "needs a browser, an emulator or a desktop",
  service: "needs a service or an account that is not there",
  release: "releases or pushes",
  server: "starts a server",
  download: "installs or downloads",
  privileged: "needs the rights of the machine's owner",
} as const satisfies Record<UnsafeKind, string>;

/** Screens a shell line. Lines that it cannot read, are `unknown`; a line of which one command is unsafe is unsafe. */
export const screen: (line: string) => Screening = memoize(screenLine);

function screenLine(line: string): Screening {
  const commands = splitShell(line);
  if (commands === null) return {kind: "unknown", why: "the line cannot be read without a shell"};
  const saysOnly = ({words, writes}: SimpleCommand): boolean =>
    NOTHING_DONE.has(words[0] ?? ":") && writes.every((path) => path.startsWith("/dev/"));
  if (commands.every(saysOnly)) return {kind: "placeholder", why: "it does nothing but say so"};
  if (/(^|[^&])&\s*$/.test(line) || commands.some((command) => command.joint === "&")) {
    return {kind: "server", why: "leaves a process behind in the background"};
  }
  const screened = commands.map((command) => ({command, found: screenCommand(command)}));
  const worst = screened.flatMap(({found}) => (found.kind === "ok" ? [] : [found]))[0];
  if (worst === undefined) return OK;
  const instead = rebuild(line, screened);
  if (worst.kind === "unknown") return worst;
  return {
    kind: worst.kind,
    why: worst.why,
    ...(instead === null ? {} : {instead}),
    ...(worst.byName ? {byName: true} : {}),
  };
}

/** Screens the name of a script or target: what it says it does. Use it where the body cannot be read. */
export function screenName(name: string): CommandScreening {
  const parts = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  for (const [kind, pattern] of UNSAFE_NAMES) {
    const part = parts.find((word) => pattern.test(word));
    if (part === undefined) continue;
    if (kind === "mutates" && part !== "fix" && parts.some((word) => ONLY_LOOKS.test(word))) continue;
    return {kind, why: `its name says that it ${SAYS[kind]}`, byName: true};
  }
  if (/[-_:.]ui$/i.test(name)) return {kind: "watch", why: `its name says that it ${SAYS.watch}`, byName: true};
  if (parts.some((word) => SERVER_NAME.test(word)) && !parts.some((word) => CHECKS.test(word)))
    return {kind: "server", why: `its name says that it ${SAYS.server}`, byName: true};
  return OK;
}

function screenCommand(command: SimpleCommand): CommandScreening {
  const {words} = command;
  const started = unwrap(words);
  const packaged = packagedIn(started);
  const bare =
    packaged === null
      ? started
      : [packaged, ...started.slice(started.findIndex((word) => /node_modules\//.test(word)) + 1)];
  const [program = ""] = bare;
  if ((program === "sh" || program === "bash") && bare[1] === "-c" && bare[2] !== undefined) {
    const inner = screen(bare[2]);
    return inner.kind === "placeholder" ? OK : inner;
  }
  if (program === "eval" || program === "source" || program === ".")
    return {kind: "unknown", why: `\`${program}\` hides what runs`};
  const byRule =
    screenByRule(command, bare) ?? screenVitest(command, bare) ?? screenOptions(command, bare) ?? screenTests(bare);
  if (byRule !== null) return byRule;
  const named = /^(?:script|make|just|task|mise(?: run| r)?|poe) (\S+)/.exec(toolOf(words))?.[1];
  // A name that the shell makes up, or a file that is started, tells nothing.
  const byName = named === undefined || /[$/]|\.\w+$/.test(named) ? OK : screenName(named);
  if (byName.kind !== "ok") return byName;
  return screenLauncher(command, bare);
}

function screenByRule(command: SimpleCommand, bare: readonly string[]): CommandScreening | null {
  const rule = ruleFor(bare);
  if (rule === null) return null;
  // The folder of the installed programs is in front of the PATH.
  const tail =
    packagedIn(unwrap(command.words)) === null ? command.words.slice(0, command.words.length - bare.length) : [];
  const twin = rule.drop || rule.swap || rule.add ? [...tail, ...checkingWords(rule, bare)] : null;
  return unsafe(rule.kind, `\`${nameOf(bare)}\``, twin === null ? null : lineOf(command, localOnly(twin)));
}

function checkingWords(rule: ScreenRule, bare: readonly string[]): string[] {
  // Many tools stop reading options at the first path, so what is added goes right behind the verb.
  const verbs = rule.match.split(" ").filter((token) => !token.startsWith("!") && !token.startsWith("-")).length;
  const head = verbs + Number(bare[1]?.startsWith("+") === true);
  const kept = [...bare.slice(0, head), ...(rule.add ?? []), ...bare.slice(head)];
  return kept.filter((word) => !rule.drop?.includes(word)).map((word) => rule.swap?.[word] ?? word);
}

/** Vitest without `run` watches wherever it believes that a person looks on. */
function screenVitest(command: SimpleCommand, bare: readonly string[]): CommandScreening | null {
  if (bare[0] !== "vitest") return null;
  const verb = bare[1] ?? "";
  if (
    ["run", "related", "list", "typecheck", "bench", "init"].includes(verb) ||
    bare.some((word) => /^--(run|watch=false|no-watch|version|help)$/.test(word))
  )
    return null;
  const rest = bare
    .slice(["dev", "watch"].includes(verb) ? 2 : 1)
    .filter((word) => !WATCHING_OPTION.test(word) && word !== "-w");
  return unsafe("watch", "`vitest` without `run`", lineOf(command, ["vitest", "run", ...rest]));
}

function screenOptions(command: SimpleCommand, bare: readonly string[]): CommandScreening | null {
  const [program = "", ...rest] = bare;
  // Mocha's `--ui tdd` names the words of its tests.
  const isStyle = (word: string): boolean => word === "--ui" && /^\w/.test(rest[rest.indexOf(word) + 1] ?? "");
  const watches = (word: string): boolean =>
    (WATCHING_OPTION.test(word) && !isStyle(word)) || (word === "-w" && WATCHES_BY_W.test(program));
  const writes = (word: string): boolean => WRITING_OPTION.test(word) || (word === "-u" && UPDATES_BY_U.test(program));
  const without = (bad: (word: string) => boolean): string =>
    lineOf(
      command,
      localOnly(command.words).filter((word) => !bad(word)),
    );
  const isNode = ["node", "bun", "deno", "tsx", "nodemon"].includes(program);
  if (rest.some(watches))
    return unsafe(
      "watch",
      `\`${nameOf(bare)}\` with a watching option`,
      isNode && !rest.includes("--test") ? null : without(watches),
    );
  if (rest.some(writes)) return unsafe("mutates", `\`${nameOf(bare)}\` with a writing option`, without(writes));
  if (rest.some((word) => INSTALLING_OPTION.test(word)))
    return unsafe("download", `\`${nameOf(bare)}\` with an installing option`, null);
  return null;
}

/** A runner of unit tests that is pointed at those in a browser. */
function screenTests(bare: readonly string[]): CommandScreening | null {
  const [program = "", ...rest] = bare;
  if (!/^(vitest|jest|mocha|ava|tap|pytest|node|bun|deno|rspec|phpunit|react-scripts)$/.test(program)) return null;
  const pointed = rest.some(
    (word, i) =>
      BROWSER_TESTS.test(word) &&
      !/[!\s]/.test(word) &&
      !EXCLUDING_OPTION.test(word) &&
      !EXCLUDING_OPTION.test(rest[i - 1]?.match(/^-.*/)?.[0] ?? ""),
  );
  return pointed ? unsafe("browser", `\`${program}\` of end-to-end tests`, null) : null;
}

/** `npx` and its kin download what is not installed; what is installed can be started by its name. */
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

interface Compiled {
  readonly rule: ScreenRule;
  /** the words after the program: each a test of the plain words in order, or of the options */
  readonly tests: readonly {readonly sort: "plain" | "option" | "absent"; readonly any: ReadonlySet<string>}[];
}

/** The rules by the program that they are about: a plan of a thousand scripts asks often. */
const RULES_OF: ReadonlyMap<string, readonly Compiled[]> = compiled();

function compiled(): Map<string, Compiled[]> {
  const byProgram = new Map<string, Compiled[]>();
  for (const rule of SCREEN_RULES) {
    const [programs = "", ...tokens] = rule.match.split(" ");
    const tests = tokens.map((token) => {
      const sort = token.startsWith("!")
        ? ("absent" as const)
        : token.startsWith("-")
          ? ("option" as const)
          : ("plain" as const);
      return {sort, any: new Set(token.replace(/^!/, "").split("|"))};
    });
    for (const program of programs.split("|"))
      byProgram.set(program, [...(byProgram.get(program) ?? []), {rule, tests}]);
  }
  return byProgram;
}

function ruleFor(bare: readonly string[]): ScreenRule | null {
  const [program = "", ...rest] = bare;
  // `cargo +nightly fmt`: a toolchain is no verb.
  const plain = rest.filter((word, i) => !/^[-+]/.test(word) && !VALUED.has(rest[i - 1] ?? ""));
  const options = new Set(rest.flatMap((word) => [word, word.split("=")[0] ?? word]));
  const fits = ({tests}: Compiled): boolean => {
    let place = 0;
    return tests.every(({sort, any}) => {
      if (sort === "plain") return any.has(plain[place++] ?? "");
      return [...any].some((option) => options.has(option)) === (sort === "option");
    });
  };
  return RULES_OF.get(program)?.find(fits)?.rule ?? null;
}

function unsafe(kind: UnsafeKind, what: string, instead: string | null): CommandScreening {
  return {kind, why: `${what} ${SAYS[kind]}`, ...(instead === null ? {} : {instead})};
}

function localOnly(words: readonly string[]): readonly string[] {
  return ["npx", "bunx"].includes(words[0] ?? "") ? unwrap(words) : words;
}

function nameOf(bare: readonly string[]): string {
  const [program = "", next = ""] = bare;
  return /^[a-z]/.test(next) && !next.includes("/") ? `${program} ${next}` : program;
}

/** The words as text again, as they were written where they were, with the assignments of the command in front. */
function lineOf(command: SimpleCommand, words: readonly string[]): string {
  const raw = new Map(command.words.map((word, i) => [word, command.raws[i] ?? word]));
  return [...assignments(command.env), ...words.map((word) => raw.get(word) ?? quoteWords(word))].join(" ");
}

function rebuild(line: string, screened: readonly {command: SimpleCommand; found: CommandScreening}[]): string | null {
  const straight = screened.every(
    ({command}) => command.joint === "start" || command.joint === "&&" || command.joint === ";",
  );
  const parts: string[] = [];
  for (const {command, found} of screened) {
    if (found.kind === "ok") parts.push(line.slice(command.start, command.end).trim());
    else if (found.kind === "unknown") return null;
    else if (found.instead !== undefined) parts.push(found.instead);
    // The set-up has installed what is needed before any stage runs.
    else if (found.kind !== "download") return null;
  }
  return straight && parts.length > 0 ? parts.join(" && ") : null;
}
