/** Go: `go test`, and what `go build`, `go vet` and staticcheck print. */

import {posix} from "node:path";
import {quoteWords} from "../shell/quote.ts";
import {lineFormat} from "./line-format.ts";
import {escaped, filesOf, namesOf} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

const GO_FLAGS = /^--?(?:v|race|json|short|cover|a|n|work|trimpath|msan|asan)$/;

export const goTest: Tool = {
  name: "go test",
  output: {
    markers: ["--- FAIL: ", "panic: ", "FAIL\t"],
    blocks: [
      {
        start: /^\s*--- FAIL: (?<testId>\S+) \(\d[^)]*\)$/,
        // With `-v`, go prints what a test logs at once, and its result later.
        above: {
          reason: /^\s+(?:\S+: )?(?<file>[\w./-]+\.go):(?<line>\d+): (?<message>.*)$/,
          heading: /^=== (?:RUN|NAME|CONT) +(?<testId>\S+)$/,
          result: /^\s*--- [A-Z]+: |^(?:FAIL|PASS|ok)\b/,
        },
        end: /^\s*(?:---|===) |^(?:FAIL|PASS|ok|exit status|coverage:)\b|^\S+\s+\[no test files\]/,
        maxLines: 120,
        // `testing` indents the further lines of a message by four more columns (testing.go, `decorate`).
        detail: /^\s{8,}(?!(?:\S+: )?[\w./-]+\.go:\d+: )\S/,
        inside: [
          /^\s+(?:\S+: )?(?<file>[\w./-]+\.go):(?<line>\d+): (?<message>.*)$/,
          /^\s*(?<message>panic: .*)$/,
          /^\t(?!\/(?:opt|usr\/local|usr\/lib)\/go)(?<file>\/(?!.*\/(?:src\/testing|src\/runtime|pkg\/mod)\/)\S+\.go):(?<line>\d+)/,
        ],
      },
    ],
    lines: [/^FAIL\s(?<file>\S+) (?<message>\[(?:build|setup) failed\])$/],
  },
  failedTests: {
    marker: /^FAIL\t|^\{.*"Action":"fail"/,
    below: /^FAIL\t(?<file>\S+)(?:\t[\d.]+s| \[(?:build|setup) failed\])$/,
    tests: [
      /^\s*--- FAIL: (?<name>\S+) \([\d.]+s\)$/,
      /^\{.*"Action":"fail","Package":"(?<file>[^"]+)","Test":"(?<name>[^"]+)"/,
    ],
    cutShort: /^(?:\{.*"Output":")?(?:panic: |fatal error: |signal: |\*\*\* Test killed)/,
  },
  rerun: {
    // A subtest runs with its whole test, because it may need the code before it. With `-v` each test is counted.
    calls: /^go test$/,
    narrow: (tests) => {
      const [packages, names] = [filesOf(tests), namesOf(tests)];
      if (packages === null) return null;
      const tops = [...new Set(names?.map((name) => escaped(name.split("/")[0] ?? name)))];
      const run = names === null ? [] : ["-run", `^(?:${tops.join("|")})$`];
      return {start: ["-v", "-count=1", ...run], end: packages};
    },
    endsEarly: {start: ["-failfast"]},
    selects: {flags: GO_FLAGS},
    takesFolders: true,
    never: ["-args", "-run", "-skip"],
  },
  report: {
    commands: ["go test"],
    // Without events, the output of a package with a failed test does not show how many others passed.
    request: {kind: "printed", words: ["-json"]},
    never: ["-json", "-c", "-n", "-x", "-o", "-i", "-args", "-list", "-exec", "-bench", "-fuzz", "-help", "-test.*"],
    format: null,
  },
  coverage: {
    commands: ["go test"],
    // Tests of other packages run these lines, too.
    words: (file, paths) => [
      `-coverprofile=${file}`,
      `-coverpkg=${[...new Set(paths.map((path) => `./${posix.dirname(path)}`))].join(",")}`,
    ],
    never: ["-cover*", "-c", "-n", "-o", "-args", "-list", "-exec", "-bench", "-fuzz", "-help", "-test.*"],
    format: "goProfile",
  },
  narrowToFiles: {
    commands: ["go test", "go vet"],
    narrow: ({words, files}) => {
      const folders = new Set(files.filter((file) => file.endsWith(".go")).map((file) => `./${posix.dirname(file)}`));
      if (folders.size === 0 || !words.includes("./...")) return null;
      return words.flatMap((word) => (word === "./..." ? [...folders].map(quoteWords) : [word])).join(" ");
    },
  },
};

export const go: Tool = {
  name: "go",
  output: {
    markers: [".go:"],
    // The line of `go generate` says that a command failed, and not why.
    lines: [lineFormat('{vet: }%F<go>:%l{:%c}: %m<(?!running "[^"]*": )>')],
  },
};

export const gotestsum: Tool = {
  name: "gotestsum",
  // `--rerun-fails`: the summary counts the failures of all runs (gotestsum's README, "Re-running failed tests").
  retried: /^DONE (?:[2-9]|\d\d+) runs, .*\b[1-9]\d* failures?\b/m,
  report: {
    commands: ["gotestsum"],
    // An older version ignores it.
    request: {kind: "environment", variable: "GOTESTSUM_JUNITFILE", isAlone: true, words: (file) => [file]},
    never: ["--junitfile", "--watch*", "--raw-command", "--debug", "--version", "--help", "tool", "help"],
    format: {
      // gotestsum reports a package that does not compile as a test case without a class name.
      identify: ({classname, name}) =>
        classname === "" ? {file: null, name: null, title: name} : {file: classname, name, title: name},
      noise: /^(?:Failed|FAIL|=== RUN .*|[ \t]*--- FAIL: .*)$/gm,
    },
  },
};

export const gofmt: Tool = {
  name: "gofmt",
  fixes: [{commands: ["gofmt", "gofumpt", "goimports"], with: ["-l", "-d"], fix: "-w", files: [".go"]}],
};

/** Calls that only prepare later calls. */
export const PREPARES_MODULES = /^go mod (?:download|tidy|vendor)(?!.* -diff)(?: |$)/;

export const goCommand: ToolCommand = {
  programs: ["go"],
  traits: ["command version"],
  kinds: {typecheck: ["go vet"], lint: ["go mod tidy", "go mod verify"], test: ["go test"], build: ["go build"]},
  reads: {family: "go", commands: ["go vet", "go test", "go build"]},
  compiles: {family: "go", commands: ["go vet", "go test", "go build", "go run"]},
  readOnly: [{commands: ["go vet"]}, {commands: ["go mod tidy"], with: ["-diff"]}],
  testCount: {commands: ["go test"], unless: /^--?(?:json|exec|run|bench|skip|fuzz)\b/},
  generates: {
    calls: /^go generate( |$)/,
    inputs: [],
    directives: {files: [".go"], line: /^\/\/go:generate (.*)$/gm, safe: /^go (run|tool|build) /},
  },
  unsafe: [
    {match: "go fmt|fix|generate"},
    {match: "go mod tidy|edit|init !-diff !-json"},
    {match: "go get|install", kind: "download"},
    {match: "go mod download|vendor", kind: "download"},
  ],
};

export const gotestsumCommand: ToolCommand = {
  kinds: {test: ["gotestsum"]},
  starts: {gotestsum: ["go test"], "richgo test": ["go test"]},
  reads: {family: "go", commands: ["gotestsum"]},
  compiles: {family: "go", commands: ["gotestsum"]},
};

export const gofmtCommand: ToolCommand = {
  kinds: {lint: ["gofmt", "gofumpt", "goimports"]},
  readOnly: [{commands: ["gofmt", "gofumpt", "goimports"], with: ["-l", "-d"], without: ["-w"]}],
  // Of what `-l` prints, none fails.
  unsafe: [{match: "gofmt|goimports|gofumpt -w"}],
};
