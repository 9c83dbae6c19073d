/** A shell line as its simple commands, or null where it cannot be told. */
import {describe, expect, it} from "vitest";
import {plainWords, splitShell} from "../../../src/shell/split.ts";

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

  it.each(['a "b', "a 'b", "a $(b", "a <(b", "cat <<EOF\nx\nEOF", "x".repeat(30_000)])(
    "does not guess at %.20j",
    (line) => expect(splitShell(line)).toBeNull(),
  );

  it("tells assignments, redirections, joints and what only the shell knows", () => {
    const [first, second] = splitShell("CI=true A='b c' run $X >out && next") ?? [];
    expect(first).toMatchObject({words: ["run", "$X"], env: {CI: "true", A: "b c"}, writes: ["out"], dynamic: true});
    expect(second).toMatchObject({joint: "&&", dynamic: false});
  });

  it("gives words only for what is one plain command", () => {
    expect(plainWords("vitest run 'a b'")).toEqual(["vitest", "run", "a b"]);
    for (const line of ["a && b", "A=1 b", "a > b", "a $B"]) expect(plainWords(line)).toBeNull();
  });
});
