/** A shell line as its simple commands, or null where it cannot be told. */
import {describe, expect, it} from "vitest";
import {plainWords, splitShell} from "../../../src/shell/split.ts";
import {outerSubstitutionsIn} from "../../../src/shell/tree.ts";

const words = (line: string) => splitShell(line)?.map((command) => command.words);

describe("splitting a shell line", () => {
  it.each([
    ["a b", [["a", "b"]]],
    ["a && b; c | d || e & f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
    [`echo "a && b" 'c; d' e\\ f`, [["echo", "a && b", "c; d", "e f"]]],
    [`echo "say \\"hi\\""`, [["echo", 'say "hi"']]],
    ["a # b && c", [["a"]]],
    ["a \\\n b", [["a", "b"]]],
    ["(cd x && y) && z", [["cd", "x"], ["y"], ["z"]]],
    ["a > out 2>&1 b", [["a", "b"]]],
    ["run $(a && b) c", [["run", "$(a && b)", "c"]]],
    ["diff <(a | b) c < d", [["diff", "<(a | b)", "c"]]],
    ["run `a; b` $NAME", [["run", "`a; b`", "$NAME"]]],
    ["a\u00a0b c", [["a\u00a0b", "c"]]],
    ["", []],
  ])("%j", (line, expected) => expect(words(line)).toEqual(expected));

  it.each(['a "b', "a 'b", "a $(b", "a <(b", "if a; then b", "}", "a; (b", "x".repeat(120_000)])(
    "does not guess at %.20j",
    (line) => expect(splitShell(line)).toBeNull(),
  );

  it("tells assignments, redirections, joints and what only the shell knows", () => {
    const [first, second] = splitShell("CI=true A='b c' run $X >out && next") ?? [];
    expect(first).toMatchObject({words: ["run", "$X"], env: {CI: "true", A: "b c"}, writes: ["out"], dynamic: true});
    expect(second).toMatchObject({joint: "&&", dynamic: false});
  });

  it("tells the constructs around a command, and no keywords", () => {
    const script = `f() { a; }\nif ! b; then c; elif [[ -n $x && y = 'z w' ]]; then d; else e; fi > out
for i in 1 2; do g || { h; exit 1; }; done | k &\ncase $x in l) m ;; esac\nwhile n; do (o); done\r\np <<EOF\nq $r\nEOF\nx+=(s t)`;
    const found = splitShell(script)?.map(({words, inside}) => [
      words.join(" "),
      inside.map(({kind, part}) => `${kind} ${part}`).join(" > "),
    ]);
    expect(found).toEqual([
      ["a", "function body > group body"],
      ["b", "if condition"],
      ["c", "if then"],
      ["[[ -n $x && y = z w ]]", "if else > if condition"],
      ["d", "if else > if then"],
      ["e", "if else > if else"],
      ["g", "loop body"],
      ["h", "loop body > group body"],
      ["exit 1", "loop body > group body"],
      ["k", ""],
      ["m", "case body"],
      ["n", "loop condition"],
      ["o", "loop body > subshell body"],
      ["p", ""],
      ["", ""],
    ]);
    const commands = splitShell(script) ?? [];
    expect(commands[1]).toMatchObject({isNegated: true, writes: ["out"], joint: ";"});
    expect(commands.slice(6, 10).map(({isBackground}) => isBackground)).toEqual([true, true, true, true]);
    expect(commands[7]?.inside[1]).toMatchObject({joint: "||"});
    expect(commands[13]).toMatchObject({input: "q $r\n", words: ["p"]});
    expect(commands[14]).toMatchObject({env: {x: "${x}(s t)"}});
  });

  it("finds substitutions, and which of them are in others", () => {
    const text = "a \"$(b `c`)\" '$(d)' <(e) $((1 + $(f))) <<EOF\n$(g)\nEOF";
    expect(outerSubstitutionsIn(text)).toEqual([
      {text: "b `c`", opens: "$("},
      {text: "e", opens: "<("},
      {text: "f", opens: "$("},
      {text: "g", opens: "$("},
    ]);
  });

  it("gives words only for what is one plain command", () => {
    expect(plainWords("vitest run 'a b'")).toEqual(["vitest", "run", "a b"]);
    for (const line of ["a && b", "A=1 b", "a > b", "a $B", "! a", "(a)", "a <<<b"])
      expect(plainWords(line)).toBeNull();
  });
});
