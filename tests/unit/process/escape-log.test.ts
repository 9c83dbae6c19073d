/** Foreign output must not command the Actions runner. */
import {describe, expect, test} from "vitest";
import {escapeLog} from "../../../src/process/escape-log.ts";
import {isSweep} from "../../sweep.ts";

/**
 * A port of the runner's rules (actions/runner, src/Runner.Common/ActionCommand.cs): a line that starts, after white
 * space, with `::` and has a second `::`; or one that has `##[` and a `]` behind it. .NET ends lines at \r, \n, \r\n.
 */
function commandsIn(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => {
    const start = line.replace(/^[\s\x85]+/, "");
    const second = start.startsWith("::") && start.indexOf("::", 2) > 2;
    const first = line.indexOf("##[");
    return second || (first >= 0 && line.indexOf("]", first) > first + 3);
  });
}

const COMMANDS = [
  "::set-output name=a::b",
  "  \t::add-mask::x",
  "\x85::stop-commands::x",
  "##[error]x",
  "text ##[add-path]/tmp",
  "###[warning]x",
  "####[[error]x",
  "a\r::error::x",
  "a\r\n::error::x",
  "\n\n::error::x\n",
];

test("the port knows a command when it sees one", () => {
  for (const command of COMMANDS) expect(commandsIn(command)).toHaveLength(1);
});

describe("quiet", () => {
  test.each(COMMANDS)("%j", (command) => {
    expect(commandsIn(escapeLog(command))).toEqual([]);
    const prefix = "> ";
    const cutOff = escapeLog(command, prefix)
      .split("\n")
      .map((line) => line.slice(prefix.length));
    expect(commandsIn(cutOff.join("\n"))).toEqual([]);
  });

  test("leaves other text readable", () => {
    expect(escapeLog("std::vector<int> a;\n## [x](y)\n")).toBe("│ std::vector<int> a;\n│ ## [x](y)");
    expect(escapeLog("")).toBe("│ ");
  });

  test("random lines of what commands are made of: none gets through", () => {
    const pieces = [
      "::",
      ":",
      "#",
      "##[",
      "[",
      "]",
      "error",
      "\r",
      "\n",
      " ",
      "\t",
      "\x85",
      "\u2028",
      "set-env name=A",
      "x",
    ];
    let seed = 20261121;
    const random = (limit: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * limit);
    };
    let raw = 0;
    for (let line = 0; line < (isSweep ? 100_000 : 20_000); line += 1) {
      const text = Array.from({length: 1 + random(12)}, () => pieces[random(pieces.length)]).join("");
      raw += commandsIn(text).length;
      expect(commandsIn(escapeLog(text))).toEqual([]);
    }
    expect(raw).toBeGreaterThan(1000);
  });
});
