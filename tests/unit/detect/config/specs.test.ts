/** The key `specs` of verify.json: each form that it has, and its mistakes. */
import {expect, test} from "vitest";
import {DEFAULT_CONFIG, type SpecRules} from "../../../../src/detect/config/config.ts";
import {parseConfig} from "../../../../src/detect/config/parse-config.ts";

const parse = (specs: unknown) => parseConfig({file: "verify.json", text: JSON.stringify({specs})});

test.each<[unknown, Partial<SpecRules>]>([
  [true, {}],
  [{}, {}],
  [["a/*.md"], {paths: ["a/*.md"]}],
  [[], {paths: []}],
  [{paths: []}, {paths: []}],
  [
    {paths: ["a/*.md"], maxChars: 500},
    {paths: ["a/*.md"], maxChars: 500},
  ],
  [
    {top: 5, drift: "required"},
    {top: 5, drift: "required"},
  ],
  [
    {scorer: "names", writeFirst: true},
    {scorer: "names", writeFirst: true},
  ],
])("%j", (specs, expected) => {
  const result = parse(specs);
  expect(result.ok && result.value.specs).toEqual({...DEFAULT_CONFIG.specs, ...expected});
});

test("false switches specs off", () => {
  const result = parse(false);
  expect(result.ok && result.value.specs).toBeNull();
});

test.each<[unknown, readonly (readonly [string, string, string])[]]>([
  [
    {top: 0, scorer: "bm25", topN: 3},
    [
      ["specs.top", "must be at least 1", "use a larger value, or leave the key out for the default"],
      ["specs.scorer", "must be one of tf-idf, names", 'use one of these words, for example "tf-idf"'],
      ["specs.topN", "is not a known key", "did you mean `top`?"],
    ],
  ],
  [
    {maxChars: 100, drift: true, paths: []},
    [
      ["specs.maxChars", "must be at least 500", "use a larger value, or leave the key out for the default"],
      ["specs.drift", "must be one of advise, required, off", 'use one of these words, for example "advise"'],
    ],
  ],
  [
    {drift: false, enabled: false},
    [
      ["specs.drift", "must be one of advise, required, off", "did you mean `off`?"],
      ["specs.enabled", "is not a known key", 'write `"specs": false` to switch specs off'],
    ],
  ],
  [
    "specs/*.md",
    [
      [
        "specs",
        "must be a boolean, a list or an object",
        'write a list of globs, such as ["docs/rfcs/*.md"], or false for no specs',
      ],
    ],
  ],
])("the mistakes of %j are named with their keys", (specs, expected) => {
  const result = parse(specs);
  const mistakes = !result.ok && result.failure.kind === "config-invalid" ? result.failure.mistakes : [];
  expect(mistakes.map(({path, message, hint}) => [path, message, hint])).toEqual(expected);
});

test.each([
  [{top: "5"}, "specs.top", "must be a number", "write a number without quotes, from 1 to 20"],
  [{top: 300}, "specs.top", "must be at most 20", "use a smaller value"],
])("%j: %s %s", (specs, path, message, hint) => {
  const result = parse(specs);
  const mistakes = result.ok || result.failure.kind !== "config-invalid" ? [] : result.failure.mistakes;
  expect(mistakes).toEqual([{path, message, hint: expect.stringContaining(hint)}]);
});
