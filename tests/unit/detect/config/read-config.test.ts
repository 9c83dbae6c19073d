/** What each key of `verify.json` becomes, where the file is found, and each mistake in its own words. */

import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, it, onTestFinished} from "vitest";
import {allMistakes} from "../../../../src/detect/all-mistakes.ts";
import {CONFIG_FILES, type Config, DEFAULT_CONFIG} from "../../../../src/detect/config/config.ts";
import {judgeConfig} from "../../../../src/detect/config/judge-config.ts";
import {parseConfig} from "../../../../src/detect/config/parse-config.ts";
import {
  MAX_CONFIG_BYTES,
  type ReadExtended,
  readConfig,
  readConfigIn,
} from "../../../../src/detect/config/read-config.ts";
import {configLookup} from "../../../../src/detect/config/schema.ts";
import type {Failure} from "../../../../src/record/failure.ts";
import {ok, refused} from "../../../../src/record/words.ts";
import {projectOf} from "../tree.ts";

const parse = (text: string) => parseConfig({file: "verify.json", text});

function mistakes(text: string | object) {
  const result = parse(typeof text === "string" ? text : JSON.stringify(text));
  if (result.ok || result.failure.kind !== "config-invalid") throw new Error("a mistake was expected");
  return result.failure.mistakes;
}

const NO_BUDGET = {minutes: null, usd: null, usdPerDay: null, usdPerMonth: null};

it("has these defaults", () => {
  const {skipPatterns, codeExtensions, ...rest} = DEFAULT_CONFIG;
  expect([skipPatterns, codeExtensions].every((list) => list.length > 5)).toBe(true);
  expect(rest).toMatchObject({
    file: null,
    enabled: true,
    stages: null,
    overrides: {},
    setup: null,
    maxFixAttempts: 2,
    failFast: false,
    autofix: true,
    onFailure: "park",
    publish: null,
    protectedPaths: [],
    exampleSecrets: [],
    limits: {files: 100, megabytes: 4, growth: 200},
    budget: NO_BUDGET,
    allRepositories: {usdPerDay: null, usdPerMonth: null},
    prices: {},
    sandbox: "auto",
    network: "all",
    flaky: [],
    judge: judgeConfig(),
    specs: {paths: null, top: null, maxChars: 12_000, scorer: "tf-idf", drift: "advise", writeFirst: false},
    integrity: {enabled: true, level: {}, allow: [], bite: "report", sensitivity: "report"},
  });
});

describe("a key", () => {
  it.each<[object, Partial<Config>]>([
    [{enabled: false}, {enabled: false}],
    [{failFast: true}, {failFast: true}],
    [{autofix: false}, {autofix: false}],
    [{maxFixAttempts: 0}, {maxFixAttempts: 0}],
    [{maxFixAttempts: 10}, {maxFixAttempts: 10}],
    [{maxIterations: 11}, {maxFixAttempts: 10}],
    [{skipPatterns: ["a"]}, {skipPatterns: ["a"]}],
    [{codeExtensions: [".x"]}, {codeExtensions: [".x"]}],
    [{onFailure: "commit"}, {onFailure: "commit"}],
    [{publish: "direct"}, {publish: "direct"}],
    [{protectedPaths: ["a"]}, {protectedPaths: ["a"]}],
    [{exampleSecrets: ["a"]}, {exampleSecrets: ["a"]}],
    [{limits: {files: 7}}, {limits: {files: 7, megabytes: 4, growth: 200}}],
    [{limits: {megabytes: 0.5}}, {limits: {files: 100, megabytes: 0.5, growth: 200}}],
    [{limits: {growth: false}}, {limits: {files: 100, megabytes: 4, growth: Number.POSITIVE_INFINITY}}],
    [{budget: {minutes: 7}}, {budget: {...NO_BUDGET, minutes: 7}}],
    [{budget: {usd: 0.5}}, {budget: {...NO_BUDGET, usd: 0.5}}],
    [{sandbox: "off"}, {sandbox: "off"}],
    [{network: "none"}, {network: "none"}],
    [{flaky: ["a"]}, {flaky: ["a"]}],
    [{setup: false}, {setup: []}],
    [{setup: []}, {setup: []}],
    [{stages: []}, {stages: []}],
    [{overrides: {a: false}}, {overrides: {a: false}}],
    [{$schema: "x"}, {}],
    [{specs: false}, {specs: null}],
    [{integrity: {enabled: false}}, {integrity: {...DEFAULT_CONFIG.integrity, enabled: false}}],
    [{integrity: {bite: "require"}}, {integrity: {...DEFAULT_CONFIG.integrity, bite: "require"}}],
    [{judge: {samples: 3}}, {judge: {...DEFAULT_CONFIG.judge, samples: 3}}],
    [{flaky: ["\ufeffa"]}, {flaky: ["\ufeffa"]}],
  ])("%j changes nothing else", (file, expected) => {
    const result = parse(JSON.stringify(file));
    expect(result).toEqual(ok({...DEFAULT_CONFIG, file: "verify.json", ...expected}));
  });
});

describe("a mistake", () => {
  const renamed = (name: string) => ({name, command: "x"});

  it.each<[object, readonly (readonly [string, string, string])[]]>([
    [
      {maxIterations: 1, maxFixAttempts: 1},
      [["maxIterations", "cannot be combined with maxFixAttempts", "keep maxFixAttempts and remove maxIterations"]],
    ],
    [
      {sandbox: "off", network: "none"},
      [["network", "needs the sandbox, which is off", "remove `sandbox`, or remove `network`"]],
    ],
    [
      {stages: [], overrides: {}},
      [
        [
          "overrides",
          "cannot be combined with stages, which replaces the detected checks",
          "change the entries of stages instead",
        ],
      ],
    ],
    [
      {stages: [renamed("a"), renamed("b"), renamed("a"), renamed("a")]},
      [
        ["stages[2].name", "is the name of an earlier check", "give each check its own name"],
        ["stages[3].name", "is the name of an earlier check", "give each check its own name"],
      ],
    ],
    [
      {stages: [{...renamed("a"), needs: ["later", "lint"]}, renamed("lint")]},
      [
        ["stages[0].needs[0]", "does not name an earlier check", "name an earlier check"],
        ["stages[0].needs[1]", "does not name an earlier check", "move that check before this one"],
      ],
    ],
    [
      {stages: [renamed("build"), {...renamed("test"), needs: ["biuld", "build"]}]},
      [["stages[1].needs[0]", "does not name an earlier check", "did you mean `build`?"]],
    ],
    [
      {stages: [renamed("build"), {...renamed("a"), needs: ["lnit"]}, renamed("lint")]},
      [["stages[1].needs[0]", "does not name an earlier check", "name an earlier check"]],
    ],
    [
      {stages: [{...renamed("self"), needs: ["self"]}]},
      [["stages[0].needs[0]", "does not name an earlier check", "move that check before this one"]],
    ],
  ])("%j", (file, expected) => {
    expect(mistakes(file)).toEqual(expected.map(([path, message, hint]) => ({path, message, hint})));
  });

  const DOCS = "https://github.com/assay-run/assay/blob/main/docs/verify-json.md";
  it.each([
    ["  \n", "(the whole file)", "is empty", "write {} for no changes, or remove the file"],
    ['{"enabled": true, "enabled": false}', "enabled", "is written twice", "keep one of them"],
    [
      '{"stages": [{"name": "a", "command": "x", "command": "true"}]}',
      ...["stages[0].command", "is written twice", "keep one of them"],
    ],
    ['{"retries": 3}', "retries", "is not a known key", "a second try hides a failure; name flaky tests in `flaky`"],
    ['{"labels": ["a"]}', "labels", "is not a known key", "it is a key of `pullRequest`"],
    [
      '{"reviewers": ["ada"]}',
      "reviewers[0]",
      "must be the account of a bot, such as `name[bot]`",
      `see ${DOCS}#reviewers for an example of this key`,
    ],
    [
      '{"pullRequest": {"reviewers": ["@ada"]}}',
      "pullRequest.reviewers[0]",
      "must be a user, or a team as `organization/team`, without `@`",
      `see ${DOCS}#pullrequest for an example of this key`,
    ],
    ['{"timeout": 30}', "timeout", "is not a known key", "it is a key of `stages`"],
    ['{"tries": "3"}', "tries", "must be a number or an object", `see ${DOCS}#tries for an example of this key`],
    ['{"setup": [{"cwd": "a"}]}', "setup[0].command", "is missing", 'write text in quotes: "…"'],
  ])("%s is answered with a fix", (text, path, message, hint) => {
    expect(mistakes(text)).toEqual([{path, message, hint}]);
  });

  it.each([
    ['{\n  "a": ,\n}', "line 2, column 8"],
    ["{", "line 1, column 2"],
    ["\n\n  x", "line 3, column 3"],
  ])("%j breaks at %s", (text, path) => {
    expect(mistakes(text)).toEqual([
      {
        path,
        message: "is not valid JSON from here on",
        hint: "look for a missing comma, quote or bracket just before this place",
      },
    ]);
  });

  it.each([
    ['{"flaky": ["caf\uFFFD"]}', "line 1, column 16"],
    ['\uFFFD\uFFFD{\0"\0', "line 1, column 1"],
  ])("%j was not UTF-8 at %s", (text, path) => {
    expect(mistakes(text)).toEqual([{path, message: "is not UTF-8 here", hint: "save the file as UTF-8"}]);
  });

  it("names the key that would become a prototype, at any depth", () => {
    const mistake = {path: "__proto__", message: "is not a known key", hint: "remove it"};
    expect(mistakes('{"__proto__": {"enabled": false}}')).toEqual([mistake]);
    expect(mistakes('{"overrides": {"__proto__": {"command": "true"}},}')).toEqual([mistake]);
  });

  it("may say __proto__ in a value", () => expect(parse('{"flaky": ["__proto__"]}').ok).toBe(true));

  it("refuses a file that is nested too deeply for the parser", () => {
    const text = `{"a":${"[".repeat(200_000)}`;
    const mistake = {path: "(the whole file)", message: "is nested too deeply", hint: "use less nesting"};
    expect(mistakes(text)).toEqual([mistake]);
    const failure: Failure = {kind: "config-invalid", file: "verify.json", mistakes: [mistake]};
    expect(allMistakes(failure, projectOf({"verify.json": text}))).toEqual(failure);
  });

  it.each<[object, string]>([
    [{stages: [{name: "a", command: "x", timeout: 0}]}, "stages[0].timeout"],
    [{stages: [{name: "a", command: "x", timeout: 21_601}]}, "stages[0].timeout"],
    [{stages: [{name: "a", command: "   "}]}, "stages[0].command"],
    [{stages: [{name: "a", command: "x".repeat(20_001)}]}, "stages[0].command"],
    [{stages: [{name: "x".repeat(101), command: "x"}]}, "stages[0].name"],
    [{stages: Array.from({length: 201}, (_, at) => renamed(`s${at}`))}, "stages"],
    [{stages: [{...renamed("a"), when: [""]}]}, "stages[0].when[0]"],
    [{stages: [{...renamed("a"), when: Array.from({length: 1001}, () => "a")}]}, "stages[0].when"],
    [{stages: [{...renamed("a"), needs: ["a b"]}]}, "stages[0].needs[0]"],
    [{stages: [{...renamed("a"), kind: "tests"}]}, "stages[0].kind"],
    [{stages: [{...renamed("a"), optional: "no"}]}, "stages[0].optional"],
    ...["..", "a/..", "../a", "a/../b", "/a", "a\\b", "a\u0000b", ""].map((cwd): [object, string] => [
      {stages: [{...renamed("a"), cwd}]},
      "stages[0].cwd",
    ]),
    ...["1A", "A-B", "", "Ä"].map((name): [object, string] => [
      {stages: [{...renamed("a"), env: {[name]: "1"}}]},
      `stages[0].env.${/^[A-Z0-9-]+$/.test(name) ? name : "(a key with unusual characters)"}`,
    ]),
    [{setup: [{command: "x", provides: ["../a"]}]}, "setup[0].provides[0]"],
    [{setup: [{command: "x", inputs: [""]}]}, "setup[0].inputs[0]"],
    [{setup: Array.from({length: 51}, () => "x")}, "setup"],
    [{maxFixAttempts: 11}, "maxFixAttempts"],
    [{maxFixAttempts: 1.5}, "maxFixAttempts"],
    [{maxIterations: 12}, "maxIterations"],
    [{maxIterations: -1}, "maxIterations"],
    [{codeExtensions: [""]}, "codeExtensions[0]"],
    [{codeExtensions: ["x".repeat(41)]}, "codeExtensions[0]"],
    [{codeExtensions: Array.from({length: 1001}, () => "a")}, "codeExtensions"],
    ...["[", "docs/@(a|b)", "a\\"].map((glob): [object, string] => [{protectedPaths: [glob]}, "protectedPaths[0]"]),
    [{specs: ["!(a)"]}, "specs[0]"],
    [{limits: {files: 0}}, "limits.files"],
    [{limits: {files: 100_001}}, "limits.files"],
    [{limits: {files: 1.5}}, "limits.files"],
    [{limits: {megabytes: 0}}, "limits.megabytes"],
    [{limits: {megabytes: 101}}, "limits.megabytes"],
    [{limits: {lines: 1}}, "limits.lines"],
    [{budget: {minutes: 0}}, "budget.minutes"],
    [{budget: {minutes: 4321}}, "budget.minutes"],
    [{budget: {usd: 0}}, "budget.usd"],
    [{budget: {usd: 10_001}}, "budget.usd"],
    [{budget: {euro: 1}}, "budget.euro"],
    [{flaky: [""]}, "flaky[0]"],
    [{flaky: Array.from({length: 1001}, () => "a")}, "flaky"],
    [{publish: "push"}, "publish"],
    [{sandbox: "none"}, "sandbox"],
    [{network: "off"}, "network"],
    [{overrides: {"a b": false}}, "overrides.(a key with unusual characters)"],
  ])("row %#: a mistake in one place", (file, path) => {
    expect([...new Set(mistakes(file).map((mistake) => mistake.path))]).toEqual([path]);
  });

  it.each<[object]>([
    [{stages: [{...renamed(" a "), timeout: 21_600, cwd: "a/..b", command: "x".repeat(20_000)}]}],
    [{stages: [{...renamed("x".repeat(100)), env: {_a1: ""}, cwd: "..a"}]}],
    [{stages: Array.from({length: 200}, (_, at) => renamed(`s${at}`))}],
    [{setup: Array.from({length: 50}, () => "x")}],
    [{limits: {files: 100_000, megabytes: 100}, budget: {minutes: 4320, usd: 10_000}}],
    [{codeExtensions: ["x".repeat(40)], maxFixAttempts: 10}],
  ])("row %#: at the limit, and no mistake", (file) => expect(parse(JSON.stringify(file)).ok).toBe(true));
});

describe("the known keys", () => {
  it("are found at each depth", () => {
    expect(configLookup().keysAt([])).toContain("stages");
    expect(configLookup().keysAt([])).not.toContain("$schema");
    expect(configLookup().keysAt(["stages", 0])).toEqual(expect.arrayContaining(["name", "command", "cwd", "needs"]));
    expect(configLookup().keysAt(["setup", 3])).toEqual(["command", "cwd", "timeout", "inputs", "provides"]);
    expect(configLookup().keysAt(["overrides", "test"])).not.toContain("name");
    expect(configLookup().keysAt(["overrides", "test"])).toContain("command");
    expect(configLookup().keysAt(["limits"])).toEqual(["files", "megabytes", "growth"]);
    expect(configLookup().keysAt(["stages", 0, "env"])).toEqual([]);
    expect(configLookup().keysAt(["unknown", "path", 0])).toEqual([]);
  });
});

describe("the file", () => {
  const shared: Record<string, string> = {};
  const readExtended: ReadExtended = async ({repository, path}) => {
    const text = shared[`${repository}/${path}`];
    return text === undefined ? refused("add it there") : ok({file: `${repository}/${path}@c0ffee`, text});
  };
  const read = (files: Readonly<Record<string, string>>) =>
    readConfig(async (path) => ok(Object.hasOwn(files, path) ? (files[path] ?? "") : null), readExtended);

  it("has at most 256 KiB", () => expect(MAX_CONFIG_BYTES).toBe(262_144));
  it("may be missing", async () => expect(await read({})).toEqual(ok(DEFAULT_CONFIG)));

  it.each(CONFIG_FILES)("may be %s", async (file) => {
    expect(await read({[file]: '{"failFast": true}'})).toEqual(ok({...DEFAULT_CONFIG, file, failFast: true}));
  });

  it("may be empty, which is a mistake and not a missing file", async () => {
    expect((await read({"verify.json": ""})).ok).toBe(false);
  });

  it("is one: two are a mistake in the second", async () => {
    const result = await read({"verify.json": "{}", ".assay/verify.json": "{}"});
    const message = "exists in addition to verify.json";
    const mistake = {path: ".assay/verify.json", message, hint: "keep one of the two files"};
    expect(result).toEqual(refused({kind: "config-invalid", file: ".assay/verify.json", mistakes: [mistake]}));
  });

  it("extends another: its own keys count, and a key of the other one where it has none", async () => {
    shared["acme/rules/verify.json"] =
      '{"failFast": true, "budget": {"usd": 5}, "stages": [{"name": "a", "command": "a"}]}';
    const result = await read({"verify.json": '{"extends": "acme/rules", "budget": {"minutes": 9}}'});
    expect(result).toMatchObject({
      ok: true,
      value: {
        ...{file: "verify.json", extended: {file: "acme/rules/verify.json@c0ffee"}, failFast: true},
        ...{budget: {minutes: 9, usd: null}, stages: [{name: "a"}]},
      },
    });
  });

  it.each([
    ['{"extends": "acme"}', null, "verify.json", "extends"],
    ['{"extends": "acme/gone"}', null, "verify.json", "extends"],
    ['{"extends": "acme/../x"}', null, "verify.json", "extends"],
    ['{"extends": "acme/rules"}', "{", "acme/rules/verify.json@c0ffee", "line 1, column 2"],
    ['{"extends": "acme/rules"}', '{"stage": 1}', "acme/rules/verify.json@c0ffee", "stage"],
    ['{"extends": "acme/rules"}', '{"extends": "acme/more"}', "acme/rules/verify.json@c0ffee", "extends"],
    [
      '{"extends": "acme/rules", "overrides": {}}',
      '{"stages": [{"name": "a", "command": "a"}]}',
      "verify.json with acme/rules/verify.json@c0ffee",
      "overrides",
    ],
  ])("%s with %j is a mistake in %s", async (own, text, file, path) => {
    if (text !== null) shared["acme/rules/verify.json"] = text;
    const result = await read({"verify.json": own});
    const where = result.ok || result.failure.kind !== "config-invalid" ? null : result.failure;
    expect([where?.file, where?.mistakes[0]?.path]).toEqual([file, path]);
  });

  it.each(["../acme", "acme/..", "acme/rules/../../other", "acme/rules/"])("does not look for %s", async (place) => {
    const result = await read({"verify.json": JSON.stringify({extends: place})});
    const mistakes = result.ok || result.failure.kind !== "config-invalid" ? [] : result.failure.mistakes;
    expect(mistakes).toMatchObject([{path: "extends", message: expect.stringContaining("must be like OWNER/REPO")}]);
  });

  it("is never taken for missing when it could not be read", async () => {
    const failure = {kind: "git-refused" as const, message: "a bad object"};
    expect(await readConfig(async () => refused(failure), readExtended)).toEqual(refused(failure));
  });
});

describe("the file in a folder", () => {
  const NONE: ReadExtended = async () => refused("none");
  const folderWith = (fill: (folder: string) => void): string => {
    const folder = mkdtempSync(join(tmpdir(), "assay-config-"));
    onTestFinished(() => rmSync(folder, {recursive: true}));
    fill(folder);
    return folder;
  };
  const mistake = (message: string, hint: string) =>
    refused({kind: "config-invalid", file: "verify.json", mistakes: [{path: "(the whole file)", message, hint}]});

  it("is read, and may be missing, also below a file", async () => {
    const full = folderWith((folder) => writeFileSync(join(folder, "verify.json"), '{"failFast": true}'));
    expect(await readConfigIn(full, NONE)).toEqual(ok({...DEFAULT_CONFIG, file: "verify.json", failFast: true}));
    const odd = folderWith((folder) => writeFileSync(join(folder, ".github"), "a file"));
    expect(await readConfigIn(odd, NONE)).toEqual(ok(DEFAULT_CONFIG));
  });

  it.each<[string, (folder: string) => void]>([
    ["a folder", (folder) => mkdirSync(join(folder, "verify.json"))],
    ["a link", (folder) => symlinkSync("/dev/null", join(folder, "verify.json"))],
  ])("is a mistake where it is %s", async (_, fill) => {
    const wanted = mistake("is not a regular file", "replace it with a regular file");
    expect(await readConfigIn(folderWith(fill), NONE)).toEqual(wanted);
  });

  it("is a mistake where it cannot be read, and not a missing file", async () => {
    const folder = `${tmpdir()}/${"x".repeat(300)}`;
    const wanted = mistake("cannot be read (ENAMETOOLONG)", "make it readable for this user");
    expect(await readConfigIn(folder, NONE)).toEqual(wanted);
  });
});
