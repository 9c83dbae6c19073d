/** The same check for what a change touches only: a narrower command where the tool has one, as data. */
import {posix} from "node:path";
import {isBelow} from "../../detect/files/project.ts";
import {toolOf} from "../../shell/program.ts";
import {assignments, quoteWords} from "../../shell/quote.ts";
import type {SimpleCommand} from "../../shell/split.ts";
import {allCommands} from "../commands/expand-scripts.ts";
import type {Manifest} from "./changed-packages.ts";
import {manifestOf, narrowToPackages} from "./workspace-commands.ts";

/** What a narrower command is made from: the words of the whole one as written, and files relative to its working folder. */
interface Given {
  readonly words: readonly string[];
  readonly files: readonly string[];
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const TEST_SCRIPT = /(?:^|[./_-])tests?[./_-].*\.[cm]?[jt]sx?$|[._-]test\.[cm]?[jt]sx?$/;
const TEST_PYTHON = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
/** More paths than this make no command line, and no narrow look either. */
const MOST_FILES = 100;

/**
 * One row a tool; each gives null where it cannot tell. What is narrowed is only ever a first look, so that a row may miss
 * failures. It must not invent one: thresholds that only the whole suite can reach are switched off. From the tools' manuals.
 */
const TOOLS: readonly {readonly tool: RegExp; readonly narrow: (given: Given) => string | null}[] = [
  {
    tool: /^vitest$/,
    narrow: ({words, files}) => {
      const [call, rest] = around(words, "vitest");
      const options = rest.filter((word, at) => !(at === 0 && word === "run") && word !== "--run");
      const own = fitting(files, SCRIPT);
      if (own === null || !options.every(isOption)) return null;
      return [...call, "related", "--run", ...options, "--passWithNoTests", "--coverage.enabled=false", ...own].join(
        " ",
      );
    },
  },
  {
    tool: /^jest$/,
    narrow: ({words, files}) => {
      const [call, options] = around(words, "jest");
      const own = fitting(files, SCRIPT);
      if (own === null || !options.every(isOption)) return null;
      return [...call, ...options, "--passWithNoTests", "--coverage=false", "--findRelatedTests", ...own].join(" ");
    },
  },
  {
    tool: /^node --test$/,
    narrow: ({words, files}) => {
      const own = fitting(files, TEST_SCRIPT);
      const at = words.indexOf("--test");
      if (own === null || words.slice(at + 1).some((word) => word.startsWith("-"))) return null;
      return [...words.slice(0, at + 1), ...own].join(" ");
    },
  },
  {tool: /^pytest$/, narrow: named("pytest", TEST_PYTHON)},
  {
    tool: /^go (?:test|vet)$/,
    narrow: ({words, files}) => {
      const folders = new Set(files.filter((file) => file.endsWith(".go")).map((file) => `./${posix.dirname(file)}`));
      if (folders.size === 0 || !words.includes("./...")) return null;
      return words.flatMap((word) => (word === "./..." ? [...folders].map(quoteWords) : [word])).join(" ");
    },
  },
  {
    tool: /^nx run-many\b/,
    narrow: ({words, files}) => {
      const [call, [verb, ...rest]] = around(words, "nx");
      const options = rest.filter((word) => word !== "--all");
      if (
        verb !== "run-many" ||
        files.length === 0 ||
        options.some((word) => word.startsWith("-") && !CHOOSES_ALL.test(word))
      )
        return null;
      return [...call, "affected", ...options, quoteWords(`--files=${files.join(",")}`)].join(" ");
    },
  },
  {tool: /^rspec$/, narrow: named("rspec", /_spec\.rb$/)},
  {tool: /^mix test$/, narrow: named("test", /_test\.exs$/)},
  {tool: /^(?:bun|deno) test$/, narrow: named("test", TEST_SCRIPT)},
  {
    tool: /^eslint$/,
    narrow: ({words, files}) => {
      const [call, rest] = around(words, "eslint");
      const options = rest.filter((word) => word.startsWith("-"));
      const places = rest.filter((word) => !word.startsWith("-"));
      const isPlain = options.every((word) => /^--[\w-]+(=\S+)?$/.test(word) && !VALUED.test(word));
      const own = fitting(
        files.filter((file) => places.some((place) => isBelow(file, posix.normalize(`${place}/.`)))),
        SCRIPT,
      );
      if (own === null || !isPlain || places.some((place) => /[*?{['"]/.test(place))) return null;
      return [...call, ...options, "--no-error-on-unmatched-pattern", ...own].join(" ");
    },
  },
  {
    tool: /^prettier$/,
    narrow: ({words, files}) => {
      const own = fitting(files, /./);
      const isPlain = words.slice(1).every((word) => /^(?:--check|-c|\.|--list-different|-l)$/.test(word));
      return own === null || !isPlain ? null : [...words.filter((word) => word !== "."), "-u", ...own].join(" ");
    },
  },
];

/** Options of nx that leave open which projects run; a target is the next word, or behind `=`. */
const CHOOSES_ALL =
  /^(?:-t|--targets?|--parallel|--configuration|-c|--verbose|--skip-nx-cache|--output-style|--no-cloud)(?:=|$)/i;

/** Options of ESLint that take the next word, written without `=`. */
const VALUED = /^--(?:ext|max-warnings|config|format|cache-location|cache-strategy|ignore-pattern|rule|parser|plugin)$/;

/**
 * Takes a stage's command, written out, and the files that the change touches or that failed before, relative to `cwd`. Null:
 * this command is not understood well enough, or has nothing to do with these files.
 */
export function narrowCommand(o: {line: string; files: readonly string[]; packages: readonly string[]}): string | null {
  const only = onlyCommand(o.line);
  if (only === null || o.files.length > MOST_FILES) return null;
  const row = TOOLS.find(({tool}) => tool.test(toolOf(only.words)));
  const narrow = row?.narrow({words: only.raws, files: o.files}) ?? narrowToPackages({words: only.raws, ...o});
  return narrow === null ? null : [...assignments(only.env), narrow].join(" ");
}

/** Which manifest tells the packages that this command can be narrowed to; null where it knows none. */
export function manifestFor(line: string): Manifest | null {
  const only = onlyCommand(line);
  return only === null ? null : manifestOf(only.raws);
}

function onlyCommand(line: string): SimpleCommand | null {
  const commands = allCommands(line);
  return commands?.length === 1 ? (commands[0] ?? null) : null;
}

/** The words up to and with the tool's name, and those behind it. */
function around(words: readonly string[], tool: string): [string[], string[]] {
  const at = words.findIndex((word) => posix.basename(word) === tool);
  return [words.slice(0, at + 1), words.slice(at + 1)];
}

/** An option whose value, if it has one, is written with `=`: what stands alone may be a value, or a filter. */
const isOption = (word: string): boolean => /^--?[\w.-]+(?:=\S+)?$/.test(word);

/** For a runner that takes files in place of all, behind its options: those that fit. */
function named(tool: string, pattern: RegExp) {
  return ({words, files}: Given): string | null => {
    const [call, options] = around(words, tool);
    const own = fitting(files, pattern);
    return own === null || !options.every(isOption) ? null : [...call, ...options, ...own].join(" ");
  };
}

function fitting(files: readonly string[], pattern: RegExp): string[] | null {
  const own = files.filter((file) => pattern.test(file)).map((file) => quoteWords(`./${file}`));
  return own.length === 0 ? null : own;
}
