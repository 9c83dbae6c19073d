/** GitHub's API fails in every way at every place where a run asks it: one report all the same, and nothing is lost. */
import {randomUUID} from "node:crypto";
import {existsSync} from "node:fs";
import {mkdir, readdir, readFile, symlink, writeFile} from "node:fs/promises";
import {delimiter, join} from "node:path";
import {expect, test} from "vitest";
import {readMarker} from "../../src/github/marker.ts";
import type {Fault} from "../rig/github/faults.ts";
import {BOT} from "../rig/github/people.ts";
import type {ApiRequest} from "../rig/github.ts";
import {iconOf} from "../rig/promises/claims.ts";
import type {Outcome, Rig} from "../rig/world.ts";
import {ANYTHING, KINDS, type RunKind} from "./fault-runs.ts";
import {FAULTS, OUTAGES} from "./faults.ts";
import {brokenIn, type QuickWorld, quickWorld, SAY_DONE, WRITE_PRODUCT} from "./quick-world.ts";
import {randomFrom, shuffled} from "./random.ts";

/** `npm run sweep` sets it: how many pairs of fault and place are tried. Without, a few that matter. */
const MANY = Number(process.env["ASSAY_FAULTS"] ?? 0);
/** of these only the ones with this in their name */
const ONLY = new RegExp(process.env["ASSAY_FAULTS_ONLY"] ?? "");
const WORLDS = MANY === 0 ? 1 : 2;
/** Each case has a thread of its own, so that some can share a world; but its branches become many. */
const CASES_PER_WORLD = 12;
const CLOCK = new URL("fast-clock.ts", import.meta.url).href;
const FOR_EVER = 99;
const OWN_BIN = "faulty-bin";

/** The n-th request of this form in a run of this kind. */
interface Place {
  readonly kind: RunKind;
  readonly operation: string;
  readonly nth: number;
  readonly method?: string;
  readonly path: RegExp;
}

interface Case {
  readonly name: string;
  readonly kind: RunKind;
  readonly fault: Fault;
}

/**
 * `/stop` needs a second run that goes on meanwhile: `tests/scenarios/answered-at-once.test.ts`. Labels need a setting:
 * `tests/scenarios/labels.test.ts`. The list of jobs is only for the comment in progress:
 * `tests/scenarios/live-progress.test.ts`. Comments on lines need `/review`: `tests/scenarios/review-in-place.test.ts`;
 * whole reviews, red CI and signing their own triggers or inputs: `reviews`, `red-ci` and `attested-run` there.
 */
const ELSEWHERE = [
  ...["actions/cancel-workflow-run", "issues/add-labels", "actions/list-jobs-for-workflow-run"],
  ...["pulls/list-files", "pulls/create-review", "pulls/get-review", "pulls/list-comments-for-review"],
  ...["git/get-commit", "actions/download-job-logs-for-workflow-run"],
  ...["repos/create-attestation", "repos/list-attestations"],
];

test("the client asks nothing that has no place here", async () => {
  const source = new URL("../../src/github/", import.meta.url);
  const texts = await Promise.all((await readdir(source)).map((name) => readFile(new URL(name, source), "utf8")));
  const dashed = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const asked = texts.flatMap((text) =>
    [...text.matchAll(/\brest\.(\w+)\.(\w+)\(/g)].map(([, group, name = ""]) => `${group}/${dashed(name)}`),
  );
  if (texts.some((text) => text.includes("graphUrl("))) asked.push("graphql");
  const known = [...ELSEWHERE, ...KINDS.flatMap(({places}) => places).map((place) => place.replace(/#.*/, ""))];
  expect(asked).toContain("issues/create-comment");
  expect(asked.filter((operation) => !known.includes(operation))).toEqual([]);
});

test("one report, and nothing lost", async () => {
  const cases = MANY === 0 ? FEW : await choose();
  const found: string[] = [];
  const unmet: string[] = [];
  let count = 0;
  await inWorlds(cases, async (world, one) => {
    const {broken, hasWorked, isMet} = await faulty(world, one);
    // it does not keep the agent from its work
    if (MANY === 0) expect(hasWorked).toBe(true);
    if (!isMet) unmet.push(one.name);
    found.push(...broken.map((text) => `${one.name}: ${text}`));
    count += 1;
    if (MANY === 0) return;
    console.log(`${count} of ${cases.length}, ${found.length} broken, ${unmet.length} unmet: ${one.name}`);
    if (!isMet) console.log(`UNMET ${one.name}`);
    for (const text of broken) console.log(`BROKEN ${one.name}: ${text}`);
  });
  expect(found).toEqual([]);
  // some requests depend on the moment: a line of progress that the next one has overtaken is not sent
  expect(unmet.length).toBeLessThanOrEqual(cases.length / 50);
}, 36_000_000);

/** Does each, some of them after each other in one world, and as many side by side as there may be worlds. */
async function inWorlds<T>(list: readonly T[], act: (world: QuickWorld, one: T) => Promise<void>): Promise<void> {
  const queue = [...list];
  const worker = async () => {
    while (queue.length > 0) {
      await using world = await faultyWorld();
      for (const one of queue.splice(0, Math.min(CASES_PER_WORLD, Math.ceil(list.length / WORLDS))))
        await act(world, one);
    }
  };
  await Promise.all(Array.from({length: WORLDS}, worker));
}

const FEW: readonly Case[] = KINDS.slice(0, 1).map((kind) =>
  caseOf({kind, operation: "issues/create-comment", nth: 1, method: "POST", path: /\/comments$/}, "a lost answer", 1),
);

/** Each request that a run of some kind makes is a place; a fault meets it for as long as the run asks, or once. */
async function choose(): Promise<Case[]> {
  const places: Place[] = [];
  await inWorlds(KINDS, async (world, kind) => {
    const {requests, broken} = await observe({world, kind, fault: null});
    expect(broken, kind.name).toEqual([]);
    const all = placesOf(kind, requests);
    const missing = kind.places.filter((wanted) => !all.some((place) => isAt(place, wanted)));
    expect(missing, kind.name).toEqual([]);
    places.push(...all.filter((place) => kind.places.some((wanted) => isAt(place, wanted))));
  });
  console.log(places.map(({kind, operation, nth}) => `${operation}#${nth} in ${kind.name}`).join("\n"));
  const random = randomFrom(Number(process.env["ASSAY_SEED"] ?? 1));
  // fault by fault, so that a sweep that is cut has had the first ones everywhere
  const all = [FOR_EVER, 1].flatMap((times) =>
    Object.keys(FAULTS).flatMap((name) =>
      shuffled(
        places
          .filter(({operation}) => operation !== ANYTHING || (times === FOR_EVER && OUTAGES.includes(name)))
          .map((place) => caseOf(place, name, times)),
        random,
      ),
    ),
  );
  // and before that, each fault at each operation, wherever a run asks for it
  const first = new Map(all.toReversed().map((one) => [callOf(one), one]));
  const others = all.filter((one) => first.get(callOf(one)) !== one);
  return [...first.values(), ...others].filter(({name}) => ONLY.test(name)).slice(0, MANY);
}

/** The fault and the operation, without the place. */
const callOf = ({name}: Case) => name.split("#")[0] ?? name;

const isAt = ({operation, nth}: Place, wanted: string) => wanted === operation || wanted === `${operation}#${nth}`;

function placesOf(kind: RunKind, requests: readonly ApiRequest[]): Place[] {
  const counts = new Map<string, number>();
  return requests.flatMap(({method, path, operation}, index) => {
    const source = path
      .replaceAll(/[0-9a-f]{40}/g, "[0-9a-f]{40}")
      .replaceAll(/\/\d+/g, "/\\d+")
      .replace(/collaborators\/[^/]+/, "collaborators/[^/]+");
    const nth = (counts.get(`${method} ${source}`) ?? 0) + 1;
    counts.set(`${method} ${source}`, nth);
    const own = {kind, operation: operation ?? "", nth, method, path: new RegExp(`^${source}$`)};
    return [own, {kind, operation: ANYTHING, nth: index + 1, path: /./}];
  });
}

function caseOf(place: Place, name: string, times: number): Case {
  const {kind, operation, nth, method, path} = place;
  const does = FAULTS[name];
  if (does === undefined) throw new Error(`there is no fault ${name}`);
  const often = times === 1 ? "once" : "from then on";
  return {
    name: `${name} at ${operation}#${nth} in ${kind.name}, ${often}`,
    kind,
    fault: {...(method !== undefined && {method}), path, from: nth, times, does},
  };
}

/** The agent of this world leaves a mark in its work, which is another one in each run. */
async function faultyWorld(): Promise<QuickWorld> {
  const product = process.env["ASSAY_PRODUCT"];
  const check = "test ! -e src/product.js || grep -q '\\*' src/product.js";
  const command = `${check} || { echo 'src/product.js:1:1: error: this is no product'; exit 1; }`;
  const world = await quickWorld({
    agent: `${WRITE_PRODUCT}\ncp "$(dirname "$0")/mark" src/mark.txt\ntouch "$(dirname "$0")/$(cat src/mark.txt)"\n${SAY_DONE}`,
    verify: {stages: [{name: "test", command, timeout: 60}]},
    ...(product !== undefined && {product}),
  });
  // git itself: nothing is struck here, and the gate before it costs more than many a call
  const {rig, env} = world;
  const [gate = "", ...rest] = (env["PATH"] ?? "").split(delimiter);
  const bin = join(rig.folder, OWN_BIN);
  await mkdir(bin);
  // a link into a folder that the sandbox hides, as version managers make it
  await symlink(join(gate, "pi"), join(bin, "pi"));
  return {...world, env: {...env, PATH: [bin, ...rest].join(delimiter), NODE_OPTIONS: `--import=${CLOCK}`}};
}

/** One run of this kind in a thread of its own. Gives what it asked from the moment on that counts, and what it has broken. */
async function observe({world, kind, fault}: {world: QuickWorld; kind: RunKind; fault: Fault | null}) {
  const {rig, env} = world;
  const mark = randomUUID();
  await writeFile(join(rig.folder, OWN_BIN, "mark"), mark);
  let begun = 0;
  const ends: (() => void)[] = [];
  const arm = () => {
    begun = rig.github.requests.length;
    ends.push(...[...(fault === null ? [] : [fault]), ...(kind.given ?? [])].map((one) => rig.github.fault(one)));
  };
  const outcome = await kind.go({rig, options: {env}, arm});
  for (const end of ends) end();
  const requests = rig.github.requests.slice(begun);
  const broken = await brokenIn(world, outcome);
  // in a sandbox the agent cannot leave its mark outside
  const hasChanges = outcome.record?.attempts.some(({turn, changes}) => turn !== null && changes.length > 0) ?? false;
  const hasWorked = hasChanges || existsSync(join(rig.folder, OWN_BIN, mark));
  if (hasWorked) {
    if (!(await isWorkThere(rig, outcome, mark))) broken.push("the agent's work is on no branch");
    if (outcome.record === null) broken.push("the agent worked, and there is no record");
  }
  broken.push(...brokenReport(outcome));
  const writes = requests.filter(({method, path}) => method !== "GET" && /comments/.test(path));
  if (writes.length > 40) broken.push(`it wrote ${writes.length} times`);
  return {requests, broken, hasWorked};
}

async function faulty(world: QuickWorld, {kind, fault}: Case) {
  const {requests, broken, hasWorked} = await observe({world, kind, fault});
  const met = requests.filter(({method, path}) => (fault.method ?? method) === method && fault.path.test(path));
  return {broken, hasWorked, isMet: met.length >= (fault.from ?? 1)};
}

/** One finished comment, or the job's summary; of the comments only what was said since the request. */
function brokenReport({comments, notices, record, summary, exitCode}: Outcome): string[] {
  const asked = Math.max(0, ...comments.filter(({author}) => author !== BOT).map(({id}) => id));
  const own = comments.filter(
    ({author, id, body}) => author === BOT && id > asked && !readMarker(body)?.run.startsWith("superseded-"),
  );
  const told = own.filter(({body}) => !body.includes("⏳"));
  const found: string[] = [];
  if (own.length > 1) found.push(`there are ${own.length} comments`);
  if (new Set(notices.map(({body}) => body.split("\n")[0])).size < notices.length)
    found.push("there is a second reply");
  if (told.length === 0 && summary === "") found.push("there is no report");
  if (told.length === 0 && record !== null && iconOf(summary) === null) found.push("no verdict is shown");
  if (own.length > told.length && record === null) found.push("a comment waits for ever");
  if (exitCode === null && record?.failures.every(({kind}) => kind !== "interrupted"))
    found.push("it did not end by itself");
  return found;
}

/** True when a branch that this run has moved holds what its agent wrote. */
async function isWorkThere(rig: Rig, {refs, refsBefore}: Outcome, mark: string): Promise<boolean> {
  for (const [ref, commit] of Object.entries(refs)) {
    if (refsBefore[ref] !== commit && (await rig.origin.read(ref, "src/mark.txt")) === mark) return true;
  }
  return false;
}
