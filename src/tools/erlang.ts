/** Test frameworks of Erlang: EUnit and Common Test. */
import type {Tool} from "./tool.ts";

const PLACE = /\(.*?(?<file>[\w/.-]+\.[eh]rl), line (?<line>\d+)\)/;

export const eunit: Tool = {
  name: "eunit",
  output: {
    markers: ["*failed*", "*skipped*"],
    blocks: [
      {
        start: /^\s*(?<testId>\S.*?)\s*\.\.\.\s*(?:\[[\d.]+ s\] ?)?\*failed\*$/,
        end: /^\s*\S.*\.\.\.\s*(?:\[[\d.]+ s\] ?)?(?:ok|\*\w+\*)$|^={20,}$|^\s*\[done in /,
        maxLines: 60,
        inside: [/^\s*\*\*(?<message>\w+:.*)$/, PLACE],
      },
    ],
  },
};

export const commonTest: Tool = {
  name: "common test",
  output: {
    markers: ["_SUITE"],
    blocks: [
      {
        start: /^%%% (?<testId>\w+_SUITE ==> \S.*): FAILED$/,
        end: /^%%% .*: (?:OK|FAILED|SKIPPED)|^===> |^$/,
        maxLines: 40,
        inside: [/^ +line: (?<line>\d+)$/, /^(?:%%% .* ==> )?\s*(?<message>[^%\s].*)$/],
      },
      {
        start: /^(?<testId>\w+_SUITE:\w+) failed(?: on line (?<line>\d+))?$/,
        end: /^(?:- )+-?$/,
        maxLines: 40,
        inside: [/^Reason: (?<message>.*)$/],
      },
    ],
  },
};

/** A program that ends with an uncaught exception. */
export const erlang: Tool = {
  name: "erlang",
  output: {
    markers: ["** exception ", "init terminating in do_boot", "{'EXIT',"],
    lines: [
      /^(?<message>\*\* exception (?:exit|error|throw): .*)$/,
      /^(?<message>\{"init terminating in do_boot",.*)$/,
      /^(?<message>.*\{'EXIT',.*)$/,
    ],
  },
};
