/** Many repositories with one policy: no limit is exceeded, nothing is looser, and `assay stats` counts each answer. */
import {execFile} from "node:child_process";
import {join} from "node:path";
import {promisify} from "node:util";
import {expect, test} from "vitest";
import type {Stats} from "../../src/cli/stats/summarize.ts";
import type {Config} from "../../src/detect/config/config.ts";
import {type OrganizationPolicy, parsePolicy} from "../../src/detect/config/organization-policy.ts";
import {runMarker} from "../../src/github/marker.ts";
import type {Verdict} from "../../src/record/verification.ts";
import {PRODUCT} from "../rig/runner.ts";
import {isSweep} from "../sweep.ts";
import {
  type Answer,
  CENTRAL,
  makeOrganization,
  monthRef,
  OWNER,
  type SimulatedRequest,
  type Spending,
} from "./organization.ts";
import {randomFrom} from "./random.ts";

const SIZE = isSweep
  ? {repositories: 50, requests: 400, atOnce: 40, others: 6}
  : {repositories: 3, requests: 12, atOnce: 5, others: 4};
/** The week crosses the end of a month. GitHub's limits on writes are in `many-writes.test.ts`: they need each second of it. */
const START = Date.parse("2026-11-27T00:00:00Z");
const WEEK = 7 * 86_400_000;

const scale = SIZE.requests / 400;
const rules: OrganizationPolicy = {
  agents: ["pi", "codex"],
  budget: {usd: 4, usdPerDay: 12, usdPerMonth: 40},
  allRepositories: {usdPerDay: Math.max(12, 100 * scale), usdPerMonth: Math.max(36, 300 * scale)},
  prices: {priced: {input: 1, output: 2}},
  maxFixAttempts: 1,
  sandbox: "required",
  protectedPaths: ["infra/**"],
  publish: ["pull-request"],
  integrity: {approvers: 2},
};
/** From this share of the week on. */
const POLICIES: readonly (readonly [number, string])[] = [
  [0, JSON.stringify(rules)],
  [0.3, JSON.stringify({...rules, budget: {usd: 2, usdPerDay: 6, usdPerMonth: 20}})],
  [0.5, '{"budget": {"usd": 2'],
  [0.55, JSON.stringify({...rules, budget: {usd: 3, usdPerDay: 9, usdPerMonth: 30}, maxFixAttempts: 2})],
];

/** A repository's own settings, each as loose as it can be. */
const LOOSE: SimulatedRequest["verify"] = {
  ...{budget: {usd: 9000, usdPerDay: 900_000, usdPerMonth: 900_000}, prices: {unpriced: {input: 0, output: 0}}},
  ...{maxFixAttempts: 10, sandbox: "off", protectedPaths: ["!infra/**"], publish: "direct"},
  integrity: {enabled: false, approvers: 1, allow: ["**"]},
};

const VERDICTS: readonly Verdict[] = [
  {kind: "verified"},
  {kind: "failed", stages: ["test"]},
  {kind: "unverified", why: "flaky", detail: "`test` is flaky"},
];
const FATES = ["merged", "closed", "open"] as const;
/** The requests after the burst are these in each week: one while the policy is broken, an agent without a price, and a lost machine. */
const [BROKEN, UNPRICED, LOST] = [SIZE.atOnce, SIZE.atOnce + 1, SIZE.atOnce + 2];

function requestsOfWeek(): SimulatedRequest[] {
  const random = randomFrom(7);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({length: SIZE.requests}, (_, index): SimulatedRequest => {
    const id = index + 1;
    const share =
      index < SIZE.atOnce ? 0.2 : index === BROKEN ? 0.52 : index >= UNPRICED && index <= LOST ? 0.9 : random();
    const isCodex = random() < 0.2 || index === UNPRICED;
    const model = random() < 0.7 && index !== UNPRICED ? "priced" : "unpriced";
    return {
      ...{id, at: new Date(START + WEEK * share), verify: random() < 0.5 ? LOOSE : {}},
      ...{minutes: Math.ceil(random() * 300) / 10, verdict: oneOf(VERDICTS), fate: oneOf(FATES)},
      repository: `${OWNER}/app-${Math.floor(random() * SIZE.repositories)}`,
      usd: random() < 0.05 || index === LOST ? null : Math.round(random() * 200) / 100,
      inputs: {...(isCodex && {agent: "codex", model}), BUDGET: "9000", sandbox: "off", "protected-paths": ""},
    };
  }).sort((one, other) => one.at.getTime() - other.at.getTime());
}

const sum = (amounts: readonly number[]) => Math.round(amounts.reduce((all, one) => all + one, 0) * 100) / 100;

/** Each limit that a new reservation exceeds. `config` is what its run has read. */
function exceeded(
  after: Spending,
  {key, isCentral, config}: {key: string; isCentral: boolean; config: Config},
): string[] {
  const limits = isCentral ? config.allRepositories : config.budget;
  const {day = "", usd = 0} = after.reserved[key] ?? {};
  const total = (start: string) =>
    sum([
      ...Object.entries(after.spent).flatMap(([date, one]) => (date.startsWith(start) ? [one] : [])),
      ...Object.values(after.reserved).flatMap((one) => (one.day.startsWith(start) ? [one.usd] : [])),
    ]);
  const month = day.slice(0, 7);
  return [
    ...(total(day) > (limits.usdPerDay ?? 0) ? [`${key}: ${total(day)} of ${limits.usdPerDay} on ${day}`] : []),
    ...(total(month) > (limits.usdPerMonth ?? 0)
      ? [`${key}: ${total(month)} of ${limits.usdPerMonth} in ${month}`]
      : []),
    ...(usd > (config.budget.usd ?? 0) ? [`${key}: reserves ${usd}`] : []),
  ];
}

/** What is looser than the policy. */
function looser({budget, allRepositories, prices, ...config}: Config, policy: OrganizationPolicy): string[] {
  const limits: Record<string, boolean> = {
    usd: (budget.usd ?? 1e9) > (policy.budget?.usd ?? 0),
    usdPerDay: (budget.usdPerDay ?? 1e9) > (policy.budget?.usdPerDay ?? 0),
    usdPerMonth: (budget.usdPerMonth ?? 1e9) > (policy.budget?.usdPerMonth ?? 0),
    allRepositories: allRepositories.usdPerDay !== policy.allRepositories?.usdPerDay,
    prices: Object.keys(prices).some((name) => name !== "priced"),
    maxFixAttempts: config.maxFixAttempts > (policy.maxFixAttempts ?? 0),
    sandbox: config.sandbox !== "required",
    protectedPaths: config.protectedPaths.at(-1) !== "infra/**",
    publish: (config.publish ?? "pull-request") !== "pull-request",
    integrity: !config.integrity.enabled || config.integrity.approvers !== 2 || config.integrity.allow.length > 0,
  };
  return Object.keys(limits).filter((name) => limits[name]);
}

const figuresOf = (one: Pick<Stats, (typeof FIGURES)[number]>) => ({
  ...Object.fromEntries(FIGURES.map((name) => [name, one[name]])),
  ...{usd: sum([one.usd]), minutes: sum([one.minutes])},
});
const FIGURES = [
  "runs",
  "verdicts",
  "usd",
  "minutes",
  "rounds",
  "pullRequests",
  "detailed",
  "unverifiedBecause",
] as const;

/** What the command says of the organization, and of each repository with a finished run. */
async function statsOf(url: string): Promise<object> {
  const args = [join(PRODUCT, "dist/cli.js"), "stats", "--org", OWNER, "--days", "9999", "--json"];
  const env = {...process.env, GITHUB_TOKEN: "ghp_x", GITHUB_API_URL: `${url}/stats`};
  const {stdout} = await promisify(execFile)(process.execPath, args, {env});
  const {repositories, unread, ...all}: Stats & {repositories: (Stats & {repository: string})[]; unread: unknown} =
    JSON.parse(stdout);
  expect(unread).toEqual([]);
  const each = repositories.filter(({runs}) => runs > 0).map((one) => [one.repository, figuresOf(one)]);
  return {all: figuresOf(all), ...Object.fromEntries(each)};
}

/** The same from the requests and their answers: a lost machine and a refusal by the broken policy have no verdict. */
function ownFigures(requests: readonly SimulatedRequest[], answers: ReadonlyMap<number, Answer>): object {
  const finished = requests.filter(({id}) => ["done", "limit", "refused agent"].includes(answers.get(id)?.kind ?? ""));
  const isDone = ({id}: SimulatedRequest) => answers.get(id)?.kind === "done";
  const count = (words: readonly string[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(words, (word) => word)).map(([word, list]) => [word, list?.length ?? 0]),
    );
  const own = (runs: readonly SimulatedRequest[]) => {
    const done = runs.filter(isDone);
    const fates = count(done.flatMap(({verdict, fate}) => (verdict.kind === "verified" ? fate : [])));
    const isFlaky = done.filter(({verdict}) => verdict.kind === "unverified").length;
    const refused = runs.length - done.length;
    return {
      ...{runs: runs.length, rounds: 0, detailed: done.length},
      verdicts: count(runs.map((run) => (isDone(run) ? run.verdict.kind : "unverified"))),
      ...{usd: sum(done.map(({usd}) => usd ?? 0)), minutes: sum(done.map(({minutes}) => minutes))},
      pullRequests: {merged: 0, closed: 0, open: 0, ...fates},
      unverifiedBecause: {...(isFlaky > 0 && {flaky: isFlaky}), ...(refused > 0 && {unknown: refused})},
    };
  };
  const each = Object.entries(Object.groupBy(finished, ({repository}) => repository));
  return {all: own(finished), ...Object.fromEntries(each.map(([name, runs = []]) => [name, own(runs)]))};
}

test(`${SIZE.repositories} repositories and ${SIZE.requests} requests in a week, ${SIZE.atOnce} of them at the same moment`, {
  timeout: 1_800_000,
}, async () => {
  const repositories = [CENTRAL, ...Array.from({length: SIZE.repositories}, (_, at) => `${OWNER}/app-${at}`)];
  const broken: string[] = [];
  let writes = 0;
  const isCentral = (repository: string) => repository === CENTRAL;
  await using organization = await makeOrganization({
    repositories,
    onSpending({repository, before, after}) {
      writes += 1;
      for (const key of Object.keys(after.reserved)) {
        const config = organization.limitsOf.get(key);
        if (before?.reserved[key] !== undefined) continue;
        if (config === undefined) broken.push(`${key} is of no run`);
        else broken.push(...exceeded(after, {key, isCentral: isCentral(repository), config}));
      }
    },
  });
  const {git} = organization;
  const central = await git.create(CENTRAL, {private: true});
  await central.commit({branch: "old", files: {"spending.json": "{}"}});
  for (const month of ["2026-08", "2026-09", "2026-10"])
    await central.setRef(monthRef(month), (await central.refs())["refs/heads/old"] ?? "");

  const requests = requestsOfWeek();
  const answers = new Map<number, Answer>();
  const startMs = performance.now();
  let burstMs = 0;
  let policy: OrganizationPolicy | null = null;
  for (let from = 0; from < requests.length; ) {
    const first = requests[from]?.at.getTime() ?? 0;
    const isBurst = requests[from + 1]?.at.getTime() === first;
    const share = (first - START) / WEEK;
    const index = POLICIES.findLastIndex(([start]) => start <= share);
    const [, text = ""] = POLICIES[index] ?? [];
    organization.api.setPolicy(text);
    const parsed = parsePolicy({file: "policy", text});
    policy = parsed.ok ? parsed.value : null;
    // Requests of the next moments run at once, but none beyond a change of the policy.
    const until = (POLICIES[index + 1]?.[0] ?? 2) * WEEK + START;
    const group = requests
      .slice(from, from + (isBurst ? SIZE.atOnce : SIZE.others))
      .filter(({at}) => at.getTime() < until && (!isBurst || at.getTime() === first));
    const groupMs = performance.now();
    await Promise.all(group.map(async (request) => answers.set(request.id, await organization.ask(request))));
    if (isBurst) burstMs = performance.now() - groupMs;
    for (const {id} of group) {
      const {config = null} = answers.get(id) ?? {};
      if (config !== null && policy !== null) broken.push(...looser(config, policy).map((name) => `${id}: ${name}`));
    }
    from += group.length;
  }
  expect(broken).toEqual([]);

  // Each request has one answer, and each refusal says why.
  expect(answers.size).toBe(requests.length);
  const kinds = Object.groupBy(answers.values(), ({kind}) => kind);
  const counts = Object.fromEntries(Object.entries(kinds).map(([kind, list]) => [kind, list.length]));
  expect((kinds["limit"] ?? []).filter(({text}) => !/Of this \w+'s \$.* renews on 2026-1/.test(text))).toEqual([]);
  expect((kinds["no policy"] ?? []).every(({text}) => text.includes("is not valid JSON"))).toBe(true);
  expect((kinds["refused agent"] ?? []).every(({text}) => text.includes("reports no cost"))).toBe(true);
  for (const kind of ["done", "limit", "no policy", "refused agent", "lost machine"])
    expect(counts[kind] ?? 0).toBeGreaterThan(0);

  // What is booked is what the runs have cost, and only lost machines still reserve.
  const costOf = (kind: Answer["kind"], month: string) =>
    requests.filter(({id, at}) => answers.get(id)?.kind === kind && at.toISOString().startsWith(month));
  for (const month of ["2026-11", "2026-12"]) {
    const {spent, reserved}: Spending = JSON.parse((await central.read(monthRef(month), "spending.json")) ?? "");
    expect(sum(Object.values(spent))).toBe(sum(costOf("done", month).map(({usd}) => usd ?? 0)));
    expect(Object.keys(reserved)).toHaveLength(costOf("lost machine", month).length);
  }
  const refs = Object.keys(await central.refs()).filter((ref) => ref.startsWith("refs/assay/"));
  expect(refs.toSorted()).toEqual(["2026-11", "2026-12"].map(monthRef));

  const stranger = {run: "comment-0", session: null, spent: {usd: 900, minutes: 9}, verdict: "verified"};
  const repository = repositories[1] ?? "";
  organization.api.comments.push({id: 0, repository, at: new Date(START), login: "otto", body: runMarker(stranger)});
  expect(await statsOf(organization.api.url)).toEqual(ownFigures(requests, answers));
  const seconds = (ms: number) => Math.round(ms / 1_000);
  console.info(
    JSON.stringify({
      ...SIZE,
      counts,
      writes,
      burstSeconds: seconds(burstMs),
      seconds: seconds(performance.now() - startMs),
    }),
  );
});
