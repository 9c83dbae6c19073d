/** An organization's policy makes every repository at least as strict, whatever its `verify.json` says. */
import {expect, test} from "vitest";
import {DEFAULT_CONFIG, withDefaults} from "../../../src/detect/config/config.ts";
import {parsePolicy, tighten, tightenedKeys} from "../../../src/detect/config/organization-policy.ts";
import {applyRules} from "../../../src/integrity/inspect.ts";
import {levelsOf} from "../../../src/publish/protected-paths.ts";

const file = "assay-policy.json of octo/.github";
function policyOf(value: object) {
  const parsed = parsePolicy({file, text: JSON.stringify(value)});
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.failure));
  return parsed.value;
}

/** As loose as a repository can be. */
const LOOSE = withDefaults("verify.json", {
  budget: {minutes: 4000, usd: 9000},
  maxFixAttempts: 10,
  limits: {files: 90_000, megabytes: 90},
  sandbox: "off",
  network: "all",
  protectedPaths: ["!infra/**", "!**"],
  publish: "direct",
  onFailure: "commit",
  integrity: {enabled: false, allow: ["**"], level: {suppressions: "off", scripts: "note"}, approvers: 1},
});
const STRICT = policyOf({
  budget: {minutes: 60, usd: 5},
  maxFixAttempts: 1,
  limits: {files: 50, megabytes: 2},
  sandbox: "required",
  network: "setup",
  protectedPaths: ["infra/**"],
  publish: ["pull-request", "branch"],
  onFailure: "park",
  integrity: {level: {suppressions: "flag", scripts: "block"}, approvers: 2},
});

test("each limit of the policy holds for the loosest repository", () => {
  const config = tighten(LOOSE, STRICT);
  expect(config).toMatchObject({
    budget: {minutes: 60, usd: 5},
    maxFixAttempts: 1,
    limits: {files: 50, megabytes: 2},
    sandbox: "required",
    network: "setup",
    publish: "pull-request",
    onFailure: "park",
    integrity: {enabled: true, allow: [], approvers: 2},
  });
  const levelOf = levelsOf(config.protectedPaths);
  expect([levelOf("infra/main.tf"), levelOf("src/a.ts")]).toEqual(["blocked", "free"]);
  const finding = {path: "a.ts", line: null, message: "x", evidence: "", fix: ""};
  const levels = applyRules(
    [
      {...finding, check: "suppressions", level: "note"},
      {...finding, check: "scripts", level: "flag"},
      {...finding, check: "settings", level: "flag"},
    ],
    config.integrity,
  );
  expect(levels.map(({check, level}) => `${check} ${level}`)).toEqual([
    "scripts block",
    "suppressions flag",
    "settings flag",
  ]);
});

test("what a repository makes stricter than the policy stays", () => {
  const strict = withDefaults("verify.json", {
    budget: {minutes: 5, usd: 1},
    maxFixAttempts: 0,
    limits: {files: 3, megabytes: 0.5},
    sandbox: "required",
    network: "none",
    publish: "branch",
    integrity: {level: {suppressions: "block"}, approvers: 2},
  });
  const {integrity, protectedPaths, ...config} = tighten(strict, STRICT);
  expect(config).toEqual({
    ...config,
    ...{budget: strict.budget, limits: strict.limits, network: "none", publish: "branch"},
  });
  expect([config.maxFixAttempts, integrity.level.suppressions, protectedPaths]).toEqual([0, "block", ["infra/**"]]);
});

test("an empty policy changes nothing", () => {
  for (const config of [DEFAULT_CONFIG, LOOSE]) expect(tighten(config, policyOf({}))).toEqual(config);
});

test("the keys that became stricter are named", () => {
  expect(
    tightenedKeys(DEFAULT_CONFIG, policyOf({budget: {usd: 5}, limits: {files: 100}, sandbox: "required"})),
  ).toEqual(["budget.usd", "sandbox"]);
  expect(tightenedKeys(LOOSE, policyOf({integrity: {approvers: 2}}))).toEqual([
    "integrity.enabled",
    "integrity.allow",
    "integrity.approvers",
  ]);
  const priced = policyOf({prices: {"my-model": {input: 1, output: 4}}, integrity: {level: {scripts: "block"}}});
  expect(tightenedKeys(DEFAULT_CONFIG, priced)).toEqual(["integrity.level.scripts"]);
});

test("an unknown key of a nested object is answered with the known ones, and a wrong type with the range", () => {
  const text = '{"budget": {"usdPerYear": 3, "minutes": "5"}, "integrity": {"level": {"scriptz": "block"}}}';
  expect(parsePolicy({file, text})).toMatchObject({
    failure: {
      mistakes: expect.arrayContaining([
        expect.objectContaining({path: "budget.usdPerYear", hint: "did you mean `usdPerDay`?"}),
        expect.objectContaining({path: "budget.minutes", hint: expect.stringContaining("4320")}),
        expect.objectContaining({path: "integrity.level.scriptz", hint: "did you mean `scripts`?"}),
      ]),
    },
  });
});

test.each([
  ["{", "line 1, column 2"],
  ['{"budgets": {}}', "budgets"],
  ['{"enabled": "no"}', "enabled"],
  ['{"protectedPaths": ["!infra/**"]}', "protectedPaths[0]"],
  ['{"agents": []}', "agents"],
  ['{"publish": ["merge"]}', "publish[0]"],
  ['{"__proto__": {"enabled": true}}', "__proto__"],
  ['{"integrity": {"level": {"suppressions": "off"}}}', "integrity.level.suppressions"],
  ["[]", "(the whole file)"],
])("%s is no policy, and the mistake at %s is named", (text, path) => {
  expect(parsePolicy({file, text})).toMatchObject({
    ok: false,
    failure: {kind: "config-invalid", file, mistakes: [{path}]},
  });
});
