/** cargo: `cargo test`, and cargo's own errors. */
import {byName} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const cargoTest: Tool = {
  name: "cargo test",
  output: {
    markers: ["panicked at ", "test result: "],
    blocks: [
      {
        start: /^---- (?<testId>\S.*) stdout ----$/,
        end: /^---- \S.* stdout ----$|^failures:$|^test result: /,
        maxLines: 80,
        detail: /^\s+(?:left|right): /,
        inside: [
          /^thread '.*' (?:\(\d+\) )?panicked at (?<file>[^\s:']+):(?<line>\d+):(?<column>\d+):$/,

          /^(?<message>(?!thread|note:|stack backtrace)\S.*)$/,
        ],
      },
      {
        start:
          /^ *thread '(?<testId>.*)' (?:\(\d+\) )?panicked at (?:'(?<message>.*)', )?(?<file>[^\s:']+):(?<line>\d+):(?<column>\d+):?$/,
        end: /^ *(?:note: |stack backtrace|$)/,
        maxLines: 20,
        detail: /^\s+(?:left|right): /,
        inside: [/^ *(?<message>\S.*)$/],
      },
    ],
  },
  summaries: [{pattern: /^test result: (?:ok|FAILED)\. (?<list>\d+ passed; \d+ failed; \d+ ignored)/gm}],
  summaryParts: {apart: Infinity, isRepeated: true},
  failedTests: {
    marker: /^test result: FAILED/,
    above: /^ +(?:Running )?(?<file>(?<=Running ).*(?= \(.*\)$)|Doc-tests(?= ))/,
    tests: [/^test (?<name>.+?)(?: - should panic)? \.\.\. FAILED$/],
    // Without --no-fail-fast the first test program that fails is the last to run.
    allRan: /^error: \d+ targets? failed:$/,
  },
  rerun: {
    calls: /^cargo(?: \+\S+)? test$/,
    // The printed name of a documentation test is not the one that `--exact` expects.
    narrow: (tests) =>
      tests.some(({name}) => / \(line \d+\)$/.test(name ?? ""))
        ? null
        : byName(tests, (names) => ["--", "--exact", ...names]),
    // A name without its modules selects every test that contains it.
    choose: (tests) => byName(tests, (names) => ["--", ...names]),
    chooseParts: (files) => {
      const targets = files.map(targetOf);
      return targets.includes(null) ? null : {start: [...new Set(targets.flatMap((target) => target ?? []))], end: []};
    },
    // cargo does not accept it together with other targets.
    never: ["--doc"],
  },
  report: {
    commands: ["cargo test"],
    request: {kind: "arguments", words: () => ["--no-fail-fast"]},
    never: ["--no-fail-fast", "--no-run", "--help"],
    format: null,
  },
  // cargo-llvm-cov takes the options and subcommands of cargo test.
  coverage: {
    commands: ["cargo test"],
    at: "start",
    words: (file) => ["llvm-cov", "--lcov", `--output-path=${file}`],
    never: ["+*", "--no-run", "--doc", "--help"],
    format: "lcov",
  },
  testRun: {begins: /^running \d+ tests?$/, ends: /^test result: (?:ok|FAILED)\. /},
};

/** The option that builds and runs only the target of this file; null if its target is unknown. */
function targetOf(file: string): string | null {
  const test = /^tests\/([\w-]+)(?:\/main)?\.rs$/.exec(file)?.[1];
  if (test !== undefined) return `--test=${test}`;
  if (/^src\/(?:main\.rs$|bin\/)/.test(file)) return "--bins";
  return /^src\/.*\.rs$/.test(file) ? "--lib" : null;
}

export const cargo: Tool = {
  name: "cargo",
  notInstalled: [
    /^error: no such (?:sub)?command: `(?<missing>[\w-]+)`/,
    // rustup's proxies, for the components that a toolchain may lack
    /^error: (?:the )?'(?:[\w-]+' component which provides the command ')?(?<missing>cargo-[\w-]+)'.* is not (?:installed|available|applicable)/,
  ],
  output: {
    markers: ["error: ", "error["],
    lines: [/^error(?:\[\w+\])?: (?<message>(?:failed to|no matching package|package).*)$/],
  },
  narrowToPackages: {
    commands: ["cargo test", "cargo check", "cargo clippy", "cargo build", "cargo nextest"],
    manifest: "Cargo.toml",
    narrow: ({words, packages}) => {
      const wide = words.findIndex((word) => word === "--workspace" || word === "--all");
      const isExcluded = (at: number): boolean => words[at - 1] === "--exclude";
      const selected = packages.filter((name) => !words.some((word, at) => isExcluded(at) && word === name));
      if (wide < 0 || selected.length === 0) return null;
      return words
        .flatMap((word, at) => {
          if (at === wide) return selected.flatMap((name) => ["-p", name]);
          // cargo takes `--exclude` only together with `--workspace`.
          return word === "--exclude" || isExcluded(at) ? [] : [word];
        })
        .join(" ");
    },
  },
  fixes: [{commands: ["cargo fmt"], with: ["--check"], fix: "fmt --all", files: null}],
};

export const cargoCommand: ToolCommand = {
  programs: ["cargo"],
  traits: ["rehearses releases"],
  kinds: {
    typecheck: ["cargo check"],
    lint: ["cargo clippy", "cargo hack clippy"],
    test: ["cargo test", "cargo hack test"],
    build: ["cargo build"],
    // It runs once for each feature: the time limit of a type check is too short.
    check: ["cargo hack check", "cargo hack build"],
  },
  reads: {family: "rust", commands: ["cargo check", "cargo test", "cargo build", "cargo clippy"]},
  compiles: {family: "cargo", commands: ["cargo *", "!cargo fmt"]},
  // Benchmarks of criterion print no count (seanmonstar/httparse, .github/workflows/ci.yml).
  testCount: {commands: ["cargo test"], unless: /^--(?:format|message-format|bench|benches)\b|^-Z/},
  unsafe: [
    {match: "cargo watch", kind: "watch"},
    {match: "cargo install|binstall|fetch", kind: "download"},
    {match: "cargo fix|update|bump|add|remove"},
  ],
  actions: {
    "actions-rs/cargo": "cargo {command} {args}",
    "actions-rs/clippy-check": "cargo clippy {args}",
    "clechasseur/rs-cargo": "cargo {command} {args}",
    "clechasseur/rs-clippy-check": "cargo clippy {args}",
  },
};
