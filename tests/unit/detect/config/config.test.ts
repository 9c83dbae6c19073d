/** `verify.json`: what it may say, how its mistakes are told, and its schema and page beside it. */
import {readFileSync} from "node:fs";
import {Ajv2020} from "ajv/dist/2020.js";
import {describe, expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../../src/detect/config/config.ts";
import {integrityNotes} from "../../../../src/detect/config/config-notes.ts";
import {parseConfig} from "../../../../src/detect/config/parse-config.ts";
import {configJsonSchema} from "../../../../src/detect/config/schema.ts";

const parse = (text: string | object) =>
  parseConfig({file: "verify.json", text: typeof text === "string" ? text : JSON.stringify(text)});

function mistakes(text: string | object) {
  const result = parse(text);
  if (result.ok || result.failure.kind !== "config-invalid") throw new Error("a mistake was expected");
  return result.failure.mistakes;
}

function value(text: string | object) {
  const result = parse(text);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

describe("verify.json", () => {
  it("is JSON with comments, trailing commas and a byte order mark", () => {
    expect(value('\ufeff{// why\n"failFast": true,\n}')).toMatchObject({failFast: true, file: "verify.json"});
  });

  it("knows the words of other tools", () => {
    expect(mistakes({extraStages: [{name: "a", cmd: "true"}]})).toContainEqual(
      expect.objectContaining({path: "extraStages[0].cmd", hint: "did you mean `command`?"}),
    );
  });

  it("suggests the name of a check, and says which checks it turns off", () => {
    expect(mistakes({integrity: {level: {"disabled-test": "note"}}})).toContainEqual(
      expect.objectContaining({path: "integrity.level.disabled-test", hint: "did you mean `disabled-tests`?"}),
    );
    const notesOf = (integrity: object) => integrityNotes(value({integrity})).map(({text}) => text);
    expect(notesOf({level: {scripts: "off", settings: "note"}})).toEqual(["verify.json turns off `scripts`."]);
    expect(notesOf({enabled: false})).toEqual([expect.stringContaining("nothing looked for weakened tests")]);
    expect(notesOf({})).toEqual([]);
  });

  it("has a default for everything", () => {
    expect(value("{}")).toEqual({...DEFAULT_CONFIG, file: "verify.json"});
    expect(DEFAULT_CONFIG).toMatchObject({
      enabled: true,
      stages: null,
      setup: null,
      maxFixAttempts: 2,
      onFailure: "park",
    });
  });

  it.each([
    [0, 0],
    [1, 0],
    [3, 2],
  ])("maxIterations %i means %i fix attempts", (maxIterations, expected) =>
    expect(value({maxIterations}).maxFixAttempts).toBe(expected),
  );

  it("takes setup as texts, objects or false", () => {
    expect(value({setup: ["make deps", {command: "npm ci", cwd: "web"}]}).setup).toEqual([
      {command: "make deps"},
      {command: "npm ci", cwd: "web"},
    ]);
    expect(value({setup: false}).setup).toEqual([]);
  });

  it("tells every mistake at once, with its place and a hint", () => {
    const found = mistakes({
      stagse: [],
      enabled: "yes",
      maxFixAttempts: -1,
      onFailure: "ignore",
      stages: [
        {name: "test", comand: "x", timeout: "1"},
        {name: "a b", command: " "},
      ],
      setup: [{comand: "x"}, 7],
      overrides: {test: {timout: 3}},
    });
    const at = (path: string) => found.find((mistake) => mistake.path === path);
    expect(at("stagse")?.hint).toContain("`stages`");
    expect(at("enabled")?.message).toBe("must be a boolean");
    expect(at("maxFixAttempts")?.message).toBe("must be at least 0");
    expect(at("onFailure")?.message).toBe("must be one of park, commit");
    expect(at("stages[0].comand")?.hint).toContain("`command`");
    expect(at("stages[0].command")?.message).toBe("is missing");
    expect(at("stages[0].timeout")?.message).toBe("must be a number");
    expect(at("stages[1].name")).toBeDefined();
    expect(at("stages[1].command")).toBeDefined();
    expect(at("setup[0].comand")?.hint).toContain("`command`");
    expect(at("setup[1]")).toBeDefined();
    expect(at("overrides.test.timout")?.hint).toContain("`timeout`");
    expect(found.every((mistake) => mistake.hint.length > 5)).toBe(true);
  });

  it.each([
    [{maxIterations: 2, maxFixAttempts: 1}, "maxIterations"],
    [
      {
        stages: [
          {name: "a", command: "x"},
          {name: "a", command: "y"},
        ],
      },
      "stages[1].name",
    ],
    [
      {
        stages: [
          {name: "a", command: "x", needs: ["b"]},
          {name: "b", command: "y"},
        ],
      },
      "stages[0].needs[0]",
    ],
    [{stages: [{name: "a", command: "x"}], overrides: {a: false}}, "overrides"],
    [{stages: [{name: "a", command: "x", cwd: "../up"}]}, "stages[0].cwd"],
    [{stages: [{name: "a", command: "x", cwd: "/abs"}]}, "stages[0].cwd"],
    [{stages: [{name: "a", command: "x", env: {"A-B": "1"}}]}, "stages[0].env.A-B"],
    [[], "(the whole file)"],
    ["null", "(the whole file)"],
    ["7", "(the whole file)"],
  ])("%j is a mistake at %s", (text, path) => expect(mistakes(text).map((mistake) => mistake.path)).toContain(path));

  it("says where the JSON breaks", () => expect(mistakes('{\n  "a": ,\n}')[0]?.path).toBe("line 2, column 8"));

  it("never quotes a value, or a key that is no word", () => {
    const secret = "ghp_0123456789";
    const shown = JSON.stringify([
      ...mistakes({enabled: secret, publish: secret, setup: secret, stages: [{name: `${secret} x`, command: 1}]}),
      ...mistakes(`{"a": ${secret}`),
      ...mistakes({[`x ${secret}`]: 1}),
    ]);
    expect(shown).not.toContain(secret);
  });

  it.each(["", "{", `{"a":${"[".repeat(200_000)}`, "\0\0", "{}{}", '{"__proto__": 1}', '{"constructor": {}}'])(
    "stays calm about %.20j",
    (text) => expect(mistakes(text).length).toBeGreaterThan(0),
  );
});

describe("the schema and the page", () => {
  const published: Record<string, unknown> = JSON.parse(readFileSync("docs/verify.schema.json", "utf8"));
  const page = readFileSync("docs/verify-json.md", "utf8");

  it("the published schema is the one that reads the file (`npm run schema` writes it)", () =>
    expect(published).toEqual(JSON.parse(JSON.stringify(configJsonSchema()))));

  it("documents every key under a heading of its own, and no other", () => {
    const keys = Object.keys(Object(published["properties"])).sort();
    const headings = [...page.matchAll(/^### `(.+)`$/gm)].map((match) => match[1] ?? "").sort();
    expect(headings).toEqual(keys);
  });

  it("every example is accepted, by Assay and by the schema", () => {
    const ajv = new Ajv2020({strict: false});
    const validate = ajv.compile(published);
    const examples = [...page.matchAll(/```jsonc\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
    expect(examples.length).toBeGreaterThan(20);
    for (const example of examples) {
      expect([example, parse(example).ok]).toEqual([example, true]);
      expect(validate(JSON.parse(example.replace(/\/\/ .*$/gm, "")))).toBe(true);
    }
    expect(validate({stagse: []})).toBe(false);
  });
});
