/** Reduces a line to the commands that do something, in one form for each, so that lines can be compared. */
import {splitShell} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {unwrap} from "../../tools/command-name.ts";

/** Commands that print, or change only the shell that runs them. */
const WITHOUT_EFFECT = new Set(
  "echo printf set export cd pushd popd exit true false : shift local read unset shopt trap wait sleep return declare break continue ]] then do".split(
    " ",
  ),
);
/** Options that only change how a tool prints or asks. */
const PRINTING =
  /^(-v+|--verbose|--color(=\w+)?|--colors|--no-progress|--ansi|--no-ansi|--stacktrace|--no-daemon|-q|--quiet|-s|--silent|-y|--yes|--print-output-on-failure|--)$/;
/** Variables that only change what is printed or sent. */
const PRINTS_BY =
  /^(CI|NO_COLOR|FORCE_COLOR|CLICOLOR\w*|TERM|DO_NOT_TRACK|\w*TELEMETRY\w*|RUST_BACKTRACE|CARGO_TERM_\w+|PYTHONUNBUFFERED|DEBUG)$/;

/**
 * The commands of a line that do something, without their launchers and without options that only change what is
 * printed.
 */
export function commandsIn(line: string): string[] {
  const commands = splitShell(line);
  if (commands === null) return [line];
  let folder = "";
  return commands.flatMap(({words, env}) => {
    const [called = "", ...all] = unwrap(words);
    // `time A=b make test` and `env A=b make test`
    const further = words.slice(0, words.length - all.length - 1).filter((word) => /^\w+=/.test(word));
    if (called === "cd") folder = all[0] ?? "";
    if (called === "" || WITHOUT_EFFECT.has(called)) return [];
    const at = called === "make" ? all.indexOf("-C") : -1;
    const rest = at < 0 ? all : all.toSpliced(at, 2);
    // With another value of such a variable the same command may run other tests.
    const settings = [...Object.entries(env), ...further.map((word) => splitOnce(word))].filter(
      ([name]) => !PRINTS_BY.test(name),
    );
    const program = [
      ...folderAsVariable(at < 0 ? folder : (all[at + 1] ?? "")),
      ...settings.map(([name, value]) => `${name}=${value.replace(/\s/g, "_")}`),
      called === "yarn" && rest.length === 0 ? "yarn install" : called,
    ].join(" ");
    const effectiveWords = rest.filter((word) => !PRINTING.test(word)).map((word) => equalWord(called, word));
    // `npm ci` installs, and `npm run ci` runs a script.
    const isRun =
      ["npm", "pnpm", "yarn", "bun"].includes(called) &&
      /^run(-script)?$/.test(effectiveWords[0] ?? "") &&
      !(called === "npm" && effectiveWords[1] === "ci");
    // A blank in a word separates no words.
    const oneWord = (word: string): string => word.replace(/\s/g, "\u00a0");
    return [[program, ...(isRun ? effectiveWords.slice(1) : effectiveWords).map(oneWord)].join(" ")];
  });
}

const splitOnce = (word: string): [string, string] => [
  word.slice(0, word.indexOf("=")),
  word.slice(word.indexOf("=") + 1),
];

const EQUAL_WORDS = new Map(
  COMMANDS.flatMap(({equalWords = []}) => equalWords.map(([program, word, same]) => [`${program} ${word}`, same])),
);

/** One form of a word that a program takes in two forms. */
const equalWord = (program: string, word: string): string => EQUAL_WORDS.get(`${program} ${word}`) ?? word;

/** The folder of a command as a variable, unless it is the one that the command starts in. */
const folderAsVariable = (folder: string): string[] => {
  const path = folder.replace(/^\.\/|\/$/g, "");
  return ["", "."].includes(path) || path.includes("$") ? [] : [`PWD=${path}`];
};
