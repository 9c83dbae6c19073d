/** Matches a command with the rules of the safety screen. */
import {VALUED} from "../../tools/command-name.ts";
import type {UnsafeCommand} from "../../tools/tool-command.ts";
import {SCREEN_RULES} from "./screen-rules.ts";

interface CompiledRule {
  readonly rule: UnsafeCommand;
  /** one test per word after the program: plain words are matched in order, options in any order */
  readonly tests: readonly {readonly sort: "plain" | "option" | "absent"; readonly any: ReadonlySet<string>}[];
}

/** Indexed by program, because a plan may screen thousands of scripts. */
const RULES_BY_PROGRAM: ReadonlyMap<string, readonly CompiledRule[]> = compileRules();

/** True for a program that some rule is about. */
export const hasRules = (program: string): boolean => RULES_BY_PROGRAM.has(program);

function compileRules(): Map<string, CompiledRule[]> {
  const byProgram = new Map<string, CompiledRule[]>();
  for (const rule of SCREEN_RULES) {
    const [programs = "", ...tokens] = rule.match.split(" ");
    const tests = tokens.map((token): CompiledRule["tests"][number] => ({
      sort: token.startsWith("!") ? "absent" : token.startsWith("-") ? "option" : "plain",
      any: new Set(token.replace(/^!/, "").split("|")),
    }));
    for (const program of programs.split("|"))
      byProgram.set(program, [...(byProgram.get(program) ?? []), {rule, tests}]);
  }
  return byProgram;
}

/** The first rule that matches a command without its starters; null if none does. */
export function ruleFor(bare: readonly string[]): UnsafeCommand | null {
  const [program = "", ...rest] = bare;
  // `cargo +nightly fmt`: a toolchain is not a subcommand.
  const operands = rest
    .filter((word, i) => !/^[-+]/.test(word) && !VALUED.has(rest[i - 1] ?? ""))
    .map((word) => (["gradle", "gradlew"].includes(program) ? word.replace(/^.*:/, "") : word));
  const options = new Set(rest.flatMap((word) => [word, word.split("=")[0] ?? word]));
  const matchesRule = ({tests}: CompiledRule): boolean => {
    let position = 0;
    return tests.every(({sort, any}) => {
      if (sort === "plain") return any.has(operands[position++] ?? "");
      return [...any].some((option) => options.has(option)) === (sort === "option");
    });
  };
  return RULES_BY_PROGRAM.get(program)?.find(matchesRule)?.rule ?? null;
}
