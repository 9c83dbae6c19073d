/** The entry `judge`: its defaults, its mistakes, and the hints for the keys that other tools use. */
import {expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../../src/detect/config/config.ts";
import {parseConfig} from "../../../../src/detect/config/parse-config.ts";

const parse = (file: object) => parseConfig({file: "verify.json", text: JSON.stringify(file)});
const mistakes = (file: object) => {
  const result = parse(file);
  return result.ok || result.failure.kind !== "config-invalid" ? [] : result.failure.mistakes;
};

test("without the entry, nothing is judged", () => {
  expect(DEFAULT_CONFIG.judge).toEqual({
    enabled: false,
    provider: "agent",
    model: "",
    effect: "ask-again",
    samples: 1,
    maxAttempts: 3,
    timeoutSeconds: 60,
    when: "verified",
    rules: ["AGENTS.md"],
  });
});

test.each([
  ["verifyAll", '"when": "always"'],
  ["verifyHeartbeat", '"when": "always"'],
  ["triggerKeywords", "see `when`"],
  ["verifierModel", "use `model`"],
  ["verifierProvider", "use `provider`"],
])("%s is refused with the key to use, also outside of the entry", (key, hint) => {
  expect(mistakes({judge: {[key]: true}})).toEqual([
    {path: `judge.${key}`, message: "is not a known key", hint: expect.stringContaining(hint)},
  ]);
  expect(mistakes({[key]: true})).toEqual([
    {path: key, message: "is not a known key", hint: expect.stringMatching(/of `judge`/)},
  ]);
});

test.each([
  [{provider: "OpenAI"}, "did you mean `openai`?"],
  [{provider: "gemini"}, "did you mean `google`?"],
  [{provider: "Grok"}, "did you mean `xai`?"],
  [{provider: "cohere"}, 'use one of these words, for example "agent"'],
  [{provider: 4}, 'use one of these words, for example "agent"'],
  [{effect: "askAgain"}, "did you mean `ask-again`?"],
])("%j gets the word that was meant", (judge, hint) => {
  expect(mistakes({judge})).toMatchObject([{hint}]);
});

test("the whole entry of the other tool is refused with a hint", () => {
  const verifier = {enabled: true, model: "anthropic/claude-sonnet-4-5", verifyAll: false, triggerKeywords: ["done"]};
  expect(mistakes({verifier})).toMatchObject([{path: "verifier", hint: expect.stringContaining("use `judge`")}]);
});

test("other mistakes have their place and a hint", () => {
  expect(mistakes({judge: {enabled: true, provider: "openai"}})).toEqual([
    {path: "judge.model", message: "is missing", hint: "name a model of openai, or use the provider `agent`"},
  ]);
  expect(mistakes({judge: {effect: "block"}})).toMatchObject([
    {path: "judge.effect", message: "must be one of show, ask-again, hold"},
  ]);
  expect(mistakes({judge: {samples: 0}})).toMatchObject([{path: "judge.samples", message: "must be at least 1"}]);
  expect(mistakes({judge: {modell: "x"}})).toMatchObject([{path: "judge.modell", hint: "did you mean `model`?"}]);
  expect(mistakes({judge: {enabled: false, provider: "openai"}})).toEqual([]);
});

test("mistakes of keys and contradictions are reported together", () => {
  const file = {
    judge: {enabled: true, provider: "openai"},
    sandbx: 1,
    stages: [{name: "a"}, {name: "a"}],
    overrides: {},
  };
  expect(mistakes(file).map(({path}) => path)).toEqual([
    "stages[0].command",
    "stages[1].command",
    "sandbx",
    "overrides",
    "judge.model",
    "stages[1].name",
  ]);
  const paths = mistakes({judge: {enabled: true, provider: "openai", model: ""}}).map(({path}) => path);
  expect(paths).toEqual(["judge.model"]);
});

test.each<[unknown, string, string, RegExp]>([
  [true, "judge", "must be an object", /^write \{"enabled": true, "provider": "openai", "model": "gpt-5"\}/],
  [{model: ""}, "judge.model", "must not be empty", /^write a text/],
  [{samples: "many"}, "judge.samples", "must be a number", /^write a number without quotes, from 1 to 5$/],
  [{samples: 9}, "judge.samples", "must be at most 5", /smaller/],
  [{rules: Array(11).fill("x")}, "judge.rules", "must be at most 10 entries", /shorter/],
  [{rules: ["../x"]}, "judge.rules[0]", "must be a file inside the repository, relative to its root", /./],
  [{rules: ["/etc/passwd"]}, "judge.rules[0]", "must be a file inside the repository, relative to its root", /./],
  [{rules: ["a/../../x"]}, "judge.rules[0]", "must be a file inside the repository, relative to its root", /./],
])("judge: %j is a mistake at %s: %s", (judge, path, message, hint) => {
  expect(mistakes({judge})).toEqual([{path, message, hint: expect.stringMatching(hint)}]);
});

test.each(["baseUrl", "base_url", "apiKey", "api-key", "endpoint", "url", "OPENAI_API_KEY"])(
  "%s is an environment variable",
  (key) => {
    const [mistake] = mistakes({judge: {[key]: "x"}});
    expect(mistake).toMatchObject({path: `judge.${key}`, hint: expect.stringContaining("environment variables")});
  },
);
