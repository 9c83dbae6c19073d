/** GitHub's API fails in every way at every place where a run asks it: one report all the same, and nothing is lost. */
import {expect, test} from "vitest";
import type {Fault, Misbehaviour} from "../rig/github/faults.ts";
import {iconOf} from "../rig/promises/claims.ts";
import {brokenIn, isWorkThere, own, type QuickWorld, quickWorld} from "./quick-world.ts";
import {randomFrom, shuffled} from "./random.ts";

/** `npm run sweep` sets it: how many pairs of fault and place are tried. Without, a few that matter. */
const MANY = Number(process.env["ASSAY_FAULTS"] ?? 0);
const WORLDS = MANY === 0 ? 1 : 3;

const says = (status: number, message: string, headers: Record<string, string> = {}): Misbehaviour => ({
  kind: "status",
  status,
  body: JSON.stringify({message}),
  headers,
});
const page = (status: number): Misbehaviour => ({
  kind: "status",
  status,
  body: "<!doctype html><title>Unicorn!</title>",
  headers: {"content-type": "text/html"},
});
const wait = {"retry-after": "1"};
const FAULTS: Readonly<Record<string, Misbehaviour>> = {
  "400": says(400, "Problems parsing JSON"),
  "401": says(401, "Bad credentials"),
  "403 permission": says(403, "Resource not accessible by integration"),
  "403 locked": says(403, "Unable to create comment because issue is locked."),
  "403 secondary limit": says(403, "You have exceeded a secondary rate limit.", wait),
  "404": says(404, "Not Found"),
  "409": says(409, "Conflict"),
  "410": says(410, "Issues are disabled for this repo"),
  "422 too long": says(422, "Validation Failed: body is too long (maximum is 65536 characters)"),
  "429": says(429, "API rate limit exceeded", wait),
  "451": says(451, "Repository access blocked"),
  "500": says(500, "Server Error"),
  "502 page": page(502),
  "503 retry-after": says(503, "Service unavailable", wait),
  "504 page": page(504),
  "a page with status 200": {kind: "html"},
  "cut JSON": {kind: "status", status: 200, body: '{"id": 1, "body": "ab'},
  "another form": {kind: "status", status: 200, body: "[]"},
  "a reset": {kind: "drop"},
  "a lost answer": {kind: "answer-lost"},
  // the last, as each costs a minute
  "no answer": {kind: "hang"},
};

interface Case {
  readonly name: string;
  readonly fault: Fault;
}

test("one report, and nothing lost", async () => {
  const cases = await choose();
  const found: string[] = [];
  let count = 0;
  const next = cases.values();
  const worker = async () => {
    for (const one of next) {
      // a world of its own: what one fault has done to a thread is no matter of the next
      await using world = await quickWorld(productOf());
      const texts = (await faulty(world, one)).map((text) => `${one.name}: ${text}`);
      found.push(...texts);
      count += 1;
      if (MANY > 0) console.log([`${count} faults, ${found.length} broken`, ...texts].join("\n"));
    }
  };
  await Promise.all(Array.from({length: WORLDS}, worker));
  expect(found).toEqual([]);
}, 7_200_000);

/** Each request that a whole run makes is a place; a fault meets it once, or for as long as the run asks. */
async function choose(): Promise<Case[]> {
  if (MANY === 0) {
    const some: [string, string, RegExp, number][] = [
      ["a lost answer", "POST", /\/comments$/, 1],
      ["401", "PATCH", /\/comments\/\d+$/, 99],
    ];
    return some.map(([kind, method, path, times]) => caseOf({kind, method, path, times}));
  }
  await using world = await quickWorld(productOf());
  await world.arm(null);
  await world.rig.comment("/assay multiply", {env: world.env});
  const places = world.rig.github.requests.map(({method, path}) => ({
    method,
    source: `^${path.replaceAll(/[0-9a-f]{40}/g, "[0-9a-f]{40}").replaceAll(/\/\d+/g, "/\\d+")}$`,
  }));
  const unique = [...new Map(places.map((place) => [`${place.method} ${place.source}`, place])).values()];
  const all = unique.flatMap(({method, source}) =>
    Object.keys(FAULTS).flatMap((kind) =>
      [1, 99].map((times) => caseOf({kind, method, path: new RegExp(source), times})),
    ),
  );
  return shuffled(all, randomFrom(Number(process.env["ASSAY_SEED"] ?? 1))).slice(0, MANY);
}

function caseOf(o: {kind: string; method: string; path: RegExp; times: number}): Case {
  const {kind, method, path, times} = o;
  const does = FAULTS[kind];
  if (does === undefined) throw new Error(`there is no fault ${kind}`);
  return {name: `${kind} at ${method} ${path.source}, ${times} times`, fault: {method, path, times, does}};
}

async function faulty(world: QuickWorld, {fault}: Case): Promise<string[]> {
  const {rig, env} = world;
  await world.arm(null);
  const on = await rig.openIssue({title: "Products"});
  rig.github.fault(fault);
  const outcome = await rig.comment("/assay multiply", {env, on});
  const found = await brokenIn(world, outcome);
  if (world.hasWorked() && !(await isWorkThere(rig, outcome))) found.push("the agent's work is on no branch");
  if (world.hasWorked() && outcome.record === null) found.push("the agent worked, and there is no record");
  const told = own(outcome).filter(({body}) => !body.includes("⏳"));
  if (own(outcome).length > 1) found.push(`there are ${own(outcome).length} comments`);
  if (told.length === 0 && outcome.summary === "") found.push("there is no report");
  if (told.length === 0 && outcome.record !== null && iconOf(outcome.summary) === null)
    found.push("no verdict is shown");
  const writes = rig.github.requests.filter(({method, path}) => method !== "GET" && /comments/.test(path));
  if (writes.length > 40) found.push(`it wrote ${writes.length} times`);
  return found;
}

function productOf() {
  const product = process.env["ASSAY_PRODUCT"];
  return product === undefined ? {} : {product};
}
