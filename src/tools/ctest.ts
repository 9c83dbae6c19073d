/** ctest. */
import {byName, escaped} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const ctest: Tool = {
  name: "ctest",
  output: {
    markers: ["% tests passed", "The following tests FAILED"],
    lines: [/^\s*\d+\/\d+ Test +#\d+: (?<message>.*\*\*\*(?:Failed|Exception|Timeout|Not Run).*)$/],
  },
  // cmake.org/cmake/help/latest/manual/ctest.1.html, `--repeat`: until-pass, after-timeout
  retried: /^\s*(?:\d+\/\d+ )?Test +#\d+: .*\*\*\*(?:Failed|Exception|Timeout)\b.*$/m,
  summaries: [
    {pattern: /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<ran>\d+)/gm},
    {pattern: /^(?<zero>No tests were found!!!)/gm},
  ],
  failedTests: {
    marker: /^\d+% tests passed, \d+ tests? failed out of /,
    from: /^The following tests FAILED:$/,
    tests: [/^\s+\d+ - (?<name>\S.*?) \([A-Z][\w ]*\)(?: {2,}.*)?$/],
  },
  rerun: {
    calls: /^ctest$/,
    narrow: (tests) => byName(tests, (names) => ["-R", `^(${names.map(escaped).join("|")})$`]),
    never: ["-R", "-E", "-I", "-L", "-LE", "--tests-regex*"],
  },
  report: {
    commands: ["ctest"],
    request: {kind: "arguments", words: (file) => ["--output-junit", file]},
    never: ["--output-junit", "-N", "--show-only", "-T", "-D", "-S", "-SP", "-M", "--build-and-test", "--print-labels"],
    format: {identify: ({name}) => ({file: null, name, title: name})},
  },
};

/** Works only in a folder that an earlier call has configured; with `-S` and `--build-and-test` it configures it itself. */
export const TESTS_CONFIGURED = /^ctest(?! .*(?:-S|--build-and-test)(?: |$))(?: |$)/;

export const ctestCommand: ToolCommand = {
  kinds: {test: ["ctest"]},
  compiles: {family: "native", commands: ["ctest *"]},
};
