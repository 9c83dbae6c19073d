/** How the command of each test runner is narrowed to some of its tests, as data that `rerun.ts` applies. */
import type {TestTool} from "./failed-test-patterns.ts";
import type {FailedTest} from "./failed-tests.ts";

/** What is put into a command line, unquoted; null where these tests cannot be named to the tool. */
export type Narrowing = (tests: readonly FailedTest[]) => {
  /** stands at the end of the command */
  readonly end: readonly string[];
  /** stands directly after the words that start the tool */
  readonly start?: readonly string[];
} | null;

export interface RerunForm {
  readonly tool: TestTool;
  /** the words that start the tool, without what only starts another program; the options that follow are no part of it */
  readonly calls: RegExp;
  readonly narrow: Narrowing;
  /** takes what it runs as plain words, which are left out then; these are its options that take no value in the next word */
  readonly selects?: {readonly flags: RegExp};
  /** options that select tests too, so that both cannot be given */
  readonly never?: RegExp;
  /** needs nothing that a package manager adds, so that a script's own line may be run instead of the script */
  readonly standsAlone?: true;
}

/** A few tests never cover what a threshold asks of all. */
export const UNCOVERED = {vitest: "--coverage.enabled=false", jest: "--coverage=false"} as const;

const filesOf = (tests: readonly FailedTest[]): string[] | null => {
  const files = [...new Set(tests.flatMap(({file}) => (file === null ? [] : [file])))];
  return tests.every(({file}) => file !== null) ? files : null;
};
const namesOf = (tests: readonly FailedTest[]): string[] | null => {
  const names = [...new Set(tests.flatMap(({name}) => (name === null ? [] : [name])))];
  return tests.every(({name}) => name !== null) ? names : null;
};
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const anyOf = (names: readonly string[]): string => `^(?:${names.join("|")})$`;

/** Vitest and jest match a pattern against titles joined by blanks; what stands between them in a report may be part of a title. */
function titles(mark: string): Narrowing {
  return (tests) => {
    const files = filesOf(tests);
    if (files === null) return null;
    const names = namesOf(tests)?.map((name) => escaped(name).replaceAll(` ${mark} `, ` (?:${mark} )?`)) ?? null;
    const paths = files.map((file) => (mark === "›" ? escaped(file.replace(/^\.\//, "")) : file));
    const chosen = names === null ? [] : ["-t", `^ ?${anyOf(names).slice(1)}`];
    // It also ends an option of the command that takes many words.
    const uncovered = UNCOVERED[mark === "›" ? "jest" : "vitest"];
    return {end: [uncovered, ...chosen, ...paths]};
  };
}

/** Words like `file::name`: the tool takes them as they are printed. */
function places(join: string): Narrowing {
  return (tests) => {
    const words = tests.map(({file, name}) => (file === null ? null : name === null ? file : `${file}${join}${name}`));
    return words.includes(null) ? null : {end: words.flatMap((word) => word ?? [])};
  };
}

const wholeFiles: Narrowing = (tests) => {
  const files = filesOf(tests);
  return files === null ? null : {end: files};
};

function byName(give: (names: readonly string[]) => readonly string[]): Narrowing {
  return (tests) => {
    const names = namesOf(tests);
    return names === null ? null : {end: give(names)};
  };
}

const NODE_VALUED = "(?:-r|-C|--(?:import|require|(?:experimental-)?loader|conditions|test-reporter(?:-destination)?))";
const NODE_FLAGS =
  /^--(?:experimental-(?!loader)[\w-]+|no-[\w-]+|enable-[\w-]+|trace-[\w-]+|test-(?:only|force-exit))$/;
const DENO_FLAGS =
  /^(?:-[APq]|--(?:allow|deny|no|unstable)(?:-[\w-]+)?|--(?:parallel|trace-leaks|doc|quiet|cached-only|frozen))$/;
const PYTEST_FLAGS =
  /^(?:-[vqsl]+|-r[\w]+|--(?:verbose|quiet|strict(?:-markers|-config)?|no-header|no-summary|showlocals))$/;
const GO_FLAGS = /^--?(?:v|race|json|short|cover|a|n|work|trimpath|msan|asan)$/;
const RSPEC_FLAGS = /^(?:-[cbw]|--(?:(?:no-|force-)?colou?r|backtrace|warnings|profile))$/;

/** From the tools' own manuals; each was run on a small failing project. */
export const RERUN_FORMS: readonly RerunForm[] = [
  {tool: "vitest", calls: /^vitest(?: run)?$/, narrow: titles(">"), never: /^(?:-t|--testNamePattern|related)/},
  {
    tool: "jest",
    calls: /^jest$|^react-scripts test$/,
    narrow: titles("›"),
    never: /^(?:-t|--testNamePattern|--runTestsByPath|--findRelatedTests)/,
  },
  {
    tool: "mocha",
    calls: /^mocha$/,
    narrow: byName((names) => ["--grep", anyOf(names.map(escaped))]),
    never: /^(?:-g|--grep|-f|--fgrep|-i|--invert)/,
  },
  {
    // By file: a name is no proof here, because newer versions count a file in which no name fits as a test that passed.
    tool: "node:test",
    calls: new RegExp(`^(?:node|tsx)(?: ${NODE_VALUED} \\S+| --?[\\w-]+(?:=\\S+)?)* --test$`),
    narrow: wholeFiles,
    selects: {flags: NODE_FLAGS},
    never: /^--test-shard/,
    standsAlone: true,
  },
  // By file: its filter looks for a part of a name.
  {tool: "deno", calls: /^deno test$/, narrow: wholeFiles, selects: {flags: DENO_FLAGS}},
  {tool: "pytest", calls: /^(?:pytest|py\.test)$/, narrow: places("::"), selects: {flags: PYTEST_FLAGS}},
  {
    tool: "unittest",
    calls: /^unittest(?: discover)?$|^python\d? manage\.py test$|^manage\.py test$/,
    narrow: byName((names) => names.flatMap((name) => ["-k", name])),
  },
  {
    // A subtest runs with the whole of its test: it may need what stands before it. `-v` makes each test count.
    tool: "go test",
    calls: /^go test$/,
    narrow: (tests) => {
      const [packages, names] = [filesOf(tests), namesOf(tests)];
      if (packages === null) return null;
      const tops = [...new Set(names?.map((name) => escaped(name.split("/")[0] ?? name)))];
      const run = names === null ? [] : ["-run", `^(?:${tops.join("|")})$`];
      return {start: ["-v", "-count=1", ...run], end: packages};
    },
    selects: {flags: GO_FLAGS},
    never: /^--?(?:args|run|skip)\b/,
  },
  {
    tool: "cargo test",
    calls: /^cargo(?: \+\S+)? test$/,
    // The name that a documentation test is printed with is not the one that `--exact` wants.
    narrow: (tests) =>
      tests.some(({name}) => / \(line \d+\)$/.test(name ?? ""))
        ? null
        : byName((names) => ["--", "--exact", ...names])(tests),
  },
  {
    // In front of what is handed on to the tests.
    tool: "nextest",
    calls: /^cargo(?: \+\S+)? nextest run$/,
    narrow: (tests) => {
      const words = tests.map(({file, name}) => [file ?? "", name ?? ""]);
      if (!words.flat().every((word) => /^[\w:./-]+$/.test(word))) return null;
      return {start: words.flatMap(([file, name]) => ["-E", `binary_id(=${file}) & test(=${name})`]), end: []};
    },
  },
  {
    tool: "phpunit",
    calls: /^phpunit$|^php \S*phpunit$/,
    narrow: byName((names) => ["--filter", `/^(?:${names.map(escaped).join("|")})(?: with data set .*)?$/`]),
    never: /^--filter/,
  },
  {
    tool: "rspec",
    calls: /^rspec$/,
    narrow: places(""),
    selects: {flags: RSPEC_FLAGS},
  },
  {
    tool: "minitest",
    calls: /^rails test$|^ruby(?: -\S+)* \S+\.rb$/,
    narrow: byName((names) => ["-n", `/${anyOf(names.map(escaped))}/`]),
    never: /^(?:-n|--name)/,
  },
  {
    tool: "ctest",
    calls: /^ctest$/,
    narrow: byName((names) => ["-R", `^(${names.map(escaped).join("|")})$`]),
    never: /^-(?:R|E|I|L|LE)$|^--tests-regex/,
  },
];
