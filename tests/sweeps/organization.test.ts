/** Many repositories with one policy: no reservation exceeds a limit, nothing loosens the policy, and nobody waits for an answer. */
import {expect, test} from "vitest";
import type {Config} from "../../src/detect/config/config.ts";
import {type OrganizationPolicy, parsePolicy} from "../../src/detect/config/organization-policy.ts";
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
  : {repositories: 4, requests: 24, atOnce: 8, others: 4};
/** The week crosses the end of a month. */
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

function requestsOfWeek(): SimulatedRequest[] {
  const random = randomFrom(7);
  const burst = START + WEEK * 0.2;
  return Array.from({length: SIZE.requests}, (_, index): SimulatedRequest => {
    const id = index + 1;
    const at = new Date(index < SIZE.atOnce ? burst : START + random() * WEEK);
    const agent = random();
    const model = random() < 0.7 ? "priced" : "unpriced";
    return {
      ...{id, at, verify: random() < 0.5 ? LOOSE : {}},
      repository: `${OWNER}/app-${Math.floor(random() * SIZE.repositories)}`,
      usd: random() < 0.05 ? null : Math.round(random() * 200) / 100,
      inputs: {...(agent < 0.2 && {agent: "codex", model}), BUDGET: "9000", sandbox: "off", "protected-paths": ""},
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
    organization.setPolicy(text);
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
  for (const kind of ["done", "limit", "no policy", "refused agent"]) expect(counts[kind] ?? 0).toBeGreaterThan(0);

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
