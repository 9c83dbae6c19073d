/** Each failing test is shown with its own values and place, although names contain, repeat and nest each other. */
import {homedir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, test} from "vitest";
import {wholeMessage} from "../../../src/report/format.ts";
import {missing, NODE_20} from "../../ecosystems/tools.ts";
import {someOf} from "../../sweep.ts";
import {openRoom, type Room} from "./asked.ts";

let room: Room;
beforeEach(() => {
  room = openRoom();
});
afterEach(() => room.remove());

/** A failing test that compares the numbers `got` and `got + 5000`, which no other test has. */
interface Failing {
  readonly group: string;
  readonly name: string;
  readonly got: number;
}

/** The same names in each group; a name contains, or is the end of, another, or of a group. */
function suite(seed: number, join: string): Failing[] {
  let state = seed;
  const below = (count: number) => {
    state = (state * 48271) % 2147483647;
    return state % count;
  };
  const words = ["adds", "negatives", "more", "a"];
  const names = ["adds", `adds${join}negatives`, "negatives"];
  while (names.length < 6) names.push(Array.from({length: 1 + below(3)}, () => words[below(4)]).join(join));
  const groups = ["adds", `more${join}adds`];
  const all = groups.flatMap((group) => [...new Set(names)].map((name) => ({group, name})));
  return all.sort(() => below(3) - 1).map((one, at) => ({...one, got: 1000 + at}));
}

const byGroup = (all: readonly Failing[]) => [...Map.groupBy(all, ({group}) => group)];
const identifier = (name: string) => name.replaceAll(" ", "_");

interface Runner {
  readonly name: string;
  readonly program: string;
  readonly command: string;
  /** the separator of the words of a name */
  readonly join: string;
  /** what `FILE` is in these files */
  files(all: readonly Failing[]): Record<string, string>;
}

const script = (head: string, assertion: (one: Failing) => string) => (all: readonly Failing[]) => ({
  "package.json": '{"type": "module"}',
  ...Object.fromEntries(
    byGroup(all).map(([group, some]) => [
      `tests/${identifier(group)}/x.test.js`,
      `${head}\ndescribe("${group}", () => {\n${some.map((one) => `test("${one.name}", () => ${assertion(one)});\n`).join("")}});\n`,
    ]),
  ),
});
const nodeFiles = script(
  'import assert from "node:assert/strict"; import {describe, test} from "node:test";',
  ({got}) => `assert.equal(${got}, ${got + 5000})`,
);
const NODE_24 = join(import.meta.dirname, "../../../node_modules/node/bin/node");

const RUNNERS: readonly Runner[] = [
  {
    ...{name: "go", program: "go", command: `GOCACHE=${join(homedir(), ".cache/go-build")} go test ./...`, join: "_"},
    files: (all) => ({
      "go.mod": "module example.com/m\n\ngo 1.19\n",
      ...Object.fromEntries(
        byGroup(all).map(([group, some]) => [
          `${group}/x_test.go`,
          `package x\n\nimport "testing"\n\n${some.map(({name, got}) => `func Test_${name}(t *testing.T) { t.Run("${name}", func(t *testing.T) {\n\tt.Errorf("differs\\ngot %d\\nwant %d", ${got}, ${got + 5000})\n}) }\n`).join("")}`,
        ]),
      ),
    }),
  },
  {...{name: "node 24", program: "node", command: `${NODE_24} --test`, join: " "}, files: nodeFiles},
  {...{name: "node 20", program: "node", command: `${NODE_20} --test`, join: " "}, files: nodeFiles},
  {
    ...{name: "vitest", program: "vitest", command: "vitest run", join: " "},
    files: script('import {describe, expect, test} from "vitest";', ({got}) => `expect(${got}).toBe(${got + 5000})`),
  },
  {
    ...{name: "pytest", program: "pytest", command: "pytest", join: "_"},
    files: (all) =>
      Object.fromEntries(
        byGroup(all).map(([group, some]) => [
          `tests/test_${group}.py`,
          `class Test_${group}:\n${some.map(({name, got}) => `  def test_${name}(self): assert ${got} == ${got + 5000}\n`).join("")}`,
        ]),
      ),
  },
  {
    ...{name: "cargo", program: "cargo", command: `RUSTUP_HOME=${join(homedir(), ".rustup")} cargo test`, join: "_"},
    files: (all) => ({
      "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": byGroup(all)
        .map(
          ([group, some]) =>
            `#[cfg(test)]\nmod ${group} {\n${some.map(({name, got}) => `#[test] fn ${name}() { assert_eq!(${got}, ${got + 5000}); }\n`).join("")}}\n`,
        )
        .join(""),
    }),
  },
];

const cases = RUNNERS.flatMap((runner) => someOf([1, 2, 3, 4, 5, 6, 7, 8], 1).map((seed) => ({...runner, seed})));

const lacks = ({program, name}: Runner) => missing([program]).length > 0 || (name === "node 20" && NODE_20 === null);

describe.each(cases)("$name", (runner) => {
  test.skipIf(lacks(runner))(`suite ${runner.seed}`, {timeout: 120_000}, async () => {
    const {command, join, files, seed, name} = runner;
    const all = suite(seed, join);
    const placed = files(all);
    room.place(placed);
    for (const asks of [true, false]) {
      const {diagnostics, outcome} = await room.look(command, {asks});
      expect(outcome).toBe("failed");
      // go also counts the test around a failing one as failed.
      const named = diagnostics.filter(({message, testId}) => message !== testId);
      const seen = named.map((one) => {
        const numbers = [...new Set(wholeMessage(one).match(/\b[16]\d{3}\b/g))].map(Number).sort();
        // Without a report, a base name that two packages have is no place.
        return {
          name: one.testId ?? "",
          place: one.path === undefined && !asks && name === "go" ? "" : `${one.path}:${one.line}`,
          numbers,
        };
      });
      const expected = all.map(({got, name: own}) => {
        const [path = "", text = ""] =
          Object.entries(placed).find(
            ([, content]) =>
              content.includes(`${got}, `) || content.includes(`${got})`) || content.includes(`${got} ==`),
          ) ?? [];
        const line = text.split("\n").findIndex((row) => new RegExp(`\\b${got}\\b`).test(row)) + 1;
        return {name: own, place: !asks && name === "go" ? "" : `${path}:${line}`, numbers: [got, got + 5000]};
      });
      const byNumber = (a: {numbers: number[]}, b: {numbers: number[]}) => (a.numbers[0] ?? 0) - (b.numbers[0] ?? 0);
      expect(seen.map(({place, numbers}) => ({place, numbers})).sort(byNumber)).toEqual(
        expected.map(({place, numbers}) => ({place, numbers})).sort(byNumber),
      );
      for (const one of expected)
        expect(seen.find(({numbers}) => numbers[0] === one.numbers[0])?.name).toMatch(
          new RegExp(`(?:^|\\W|test_)${one.name}$`),
        );
    }
  });
});
