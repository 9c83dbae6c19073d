/** The same check for what a change touches only: a narrower command where the tool has one, as data. */
import {posix} from "node:path";
import {UNCOVERED} from "../../evidence/rerun-forms.ts";
import {toolOf} from "../../plan/commands.ts";
import {isBelow} from "../../plan/is-below.ts";
import {assignments, quoted} from "../../plan/quoted.ts";
import {allOf} from "../commands/written-out.ts";

/** What a narrower command is made from: the words of the whole one as written, and files relative to its working folder. */
interface Given {
  readonly words: readonly string[];
  readonly files: readonly string[];
  /** Cargo's names of the packages that the files belong to */
  readonly crates: readonly string[];
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
      return [...call, "related", "--run", ...options, "--passWithNoTests", UNCOVERED.vitest, ...own].join(" ");
    },
  },
  {
    tool: /^jest$/,
    narrow: ({words, files}) => {
      const [call, options] = around(words, "jest");
      const own = fitting(files, SCRIPT);
      if (own === null || !options.every(isOption)) return null;
      return [...call, ...options, "--passWithNoTests", UNCOVERED.jest, "--findRelatedTests", ...own].join(" ");
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
  {
    tool: /^pytest$/,
    narrow: ({words, files}) => {
      const [call, options] = around(words, "pytest");
      const own = fitting(files, TEST_PYTHON);
      return own === null || !options.every(isOption) ? null : [...call, ...options, ...own].join(" ");
    },
  },
  {
    tool: /^go (?:test|vet)$/,
    narrow: ({words, files}) => {
      const folders = new Set(files.filter((file) => file.endsWith(".go")).map((file) => `./${posix.dirname(file)}`));
      if (folders.size === 0 || !words.includes("./...")) return null;
      return words.flatMap((word) => (word === "./..." ? [...folders].map(quoted) : [word])).join(" ");
    },
  },
  {
    tool: /^cargo (?:test|check|clippy|build|nextest)$/,
    narrow: ({words, crates}) => {
      const wide = words.findIndex((word) => word === "--workspace" || word === "--all");
      if (wide < 0 || crates.length === 0) return null;
      return words.flatMap((word, at) => (at === wide ? crates.flatMap((name) => ["-p", name]) : [word])).join(" ");
    },
  },
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

/** Options of ESLint that take the next word, written without `=`. */
const VALUED = /^--(?:ext|max-warnings|config|format|cache-location|cache-strategy|ignore-pattern|rule|parser|plugin)$/;

/**
 * Takes a stage's command, written out, and the files that the change touches or that failed before, relative to `cwd`. Null:
 * this command is not understood well enough, or has nothing to do with these files.
 */
export function narrowed(o: {line: string; files: readonly string[]; crates: readonly string[]}): string | null {
  const commands = allOf(o.line);
  const [only] = commands ?? [];
  if (only === undefined || commands?.length !== 1 || o.files.length > MOST_FILES) return null;
  const row = TOOLS.find(({tool}) => tool.test(toolOf(only.words)));
  const narrow = row?.narrow({words: only.raws, files: o.files, crates: o.crates}) ?? null;
  return narrow === null ? null : [...assignments(only.env), narrow].join(" ");
}

/** The words up to and with the tool's name, and those behind it. */
function around(words: readonly string[], tool: string): [string[], string[]] {
  const at = words.findIndex((word) => posix.basename(word) === tool);
  return [words.slice(0, at + 1), words.slice(at + 1)];
}

/** An option whose value, if it has one, is written with `=`: what stands alone may be a value, or a filter. */
const isOption = (word: string): boolean => /^--?[\w.-]+(?:=\S+)?$/.test(word);

function fitting(files: readonly string[], pattern: RegExp): string[] | null {
  const own = files.filter((file) => pattern.test(file)).map((file) => quoted(`./${file}`));
  return own.length === 0 ? null : own;
}
