/** What a change hides from the judge is shown to it, or named: invisible characters, and a diff that is not complete. */
import {expect, test} from "vitest";
import {judgeContext} from "../../../src/judge/context.ts";
import {findQuote} from "../../../src/judge/quotes.ts";
import {attempt} from "../report/records.ts";

const added = (lines: readonly string[]) =>
  [
    "diff --git a/a.js b/a.js",
    "--- a/a.js",
    "+++ b/a.js",
    "@@ -0,0 +1 @@",
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
const contextOf = ({path = "a.js", ...work}: {diff: string; isDiffCut?: boolean; path?: string}) =>
  judgeContext({
    request: {request: "", issue: "", comments: [], rules: "", specs: ""},
    work: {...work, attempt: attempt({changes: [{path, status: "added"}]}), previous: null},
    points: [],
    overhead: 0,
  });

test.each([
  ["\u200c", "[… U+200C]"],
  ["\u3164", "[… U+3164]"],
  ["1\ufe0f", "1[… U+FE0F]"],
  [String.fromCodePoint(...Array(9).fill(0xe0041)), "[… U+E0041 U+E0041 U+E0041 U+E0041 and 5 more]"],
])("shows the invisible %j in a name", (characters, shown) => {
  const line = (name: string) => `  if (user.is${name}Admin) allow();`;
  const {texts} = contextOf({diff: added([line(characters), "// ❤\ufe0f"]), path: `src/is${characters}Admin.js`});
  expect(texts.diff).toContain(line(shown));
  expect(texts.diff).toContain("// ❤\ufe0f");
  expect(texts.facts).toContain(`src/is${shown}Admin.js`);
  for (const name of [shown, shown.replace(/\[.*\]/, "")]) expect(findQuote(line(name), texts)).toBe("diff");
});

test("names the end of a diff, and a diff that git could not make", () => {
  const diff = added(["x = 1;"]);
  const {cut, text} = contextOf({diff, isDiffCut: true});
  expect(cut).toEqual(["the end of the diff"]);
  expect(text).toContain("Left out of the diff:\nthe end of the diff");
  expect(contextOf({diff: ""}).cut).toEqual(["the whole diff"]);
  expect(contextOf({diff}).cut).toEqual([]);
});
