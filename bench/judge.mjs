/** How good a model is as a judge: on commits with their own message and with a neighbour's, and on labelled cases of yours. Needs a key. */
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {parseArgs} from "node:util";
import {createJudge} from "../src/judge/judge.ts";
import {ENDPOINTS} from "../src/judge/providers/endpoints.ts";
import {askEndpoint} from "../src/judge/providers/http.ts";
import {NO_USAGE} from "../src/record/usage.ts";

const USAGE =
  "npm run bench -- judge --model PROVIDER/MODEL [--repository FOLDER] [--count N] [--samples N] [--cases FILE]";
const MAX_FILES = 20;
const SHORTEST_MESSAGE = 60;

export async function measure() {
  const args = process.argv.slice(process.argv.indexOf("judge") + 1);
  const {values} = readOptions(args);
  const [, provider = "", model = ""] = /^([a-z]+)\/(.+)$/.exec(values.model) ?? [];
  if (values.help || !Object.hasOwn(ENDPOINTS, provider))
    stop(`${USAGE}\nproviders: ${Object.keys(ENDPOINTS).join(", ")}`, values.help ? 0 : 2);
  const cases = values.cases === "" ? commitCases(values.repository, Number(values.count)) : fileCases(values.cases);
  const ask = askEndpoint({
    provider: /** @type {keyof typeof ENDPOINTS} */ (provider),
    model,
    variables: process.env,
    timeoutMs: () => 180_000,
    signal: new AbortController().signal,
  });
  const rows = [];
  for (const one of cases) {
    const opinion = await judgeCase({...one, ask, samples: Number(values.samples)});
    if (opinion.kind === "not-judged" && opinion.why === "missing-key") stop(opinion.detail);
    rows.push({isGood: one.isGood, opinion});
    const outcome = opinion.kind === "judged" ? opinion.outcome : `not judged: ${opinion.why} ${opinion.detail}`;
    console.log(`${one.isGood ? "good" : "bad "} ${outcome}  ${one.request.split("\n", 1)[0].slice(0, 80)}`);
  }
  return figures(rows);
}

/**
 * Prints one message without a stack trace, and ends.
 * @returns {never}
 */
function stop(message, code = 2) {
  console.error(message);
  process.exit(code);
}

function readOptions(args) {
  try {
    return parseArgs({
      args,
      options: {
        help: {type: "boolean", default: false},
        model: {type: "string", default: ""},
        repository: {type: "string", default: "."},
        count: {type: "string", default: "20"},
        samples: {type: "string", default: "3"},
        /** JSON lines with `request`, `diff` and `isGood`, for example of labelled patches */
        cases: {type: "string", default: ""},
      },
    });
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function judgeCase({request, diff, ask, samples}) {
  const id = "0".repeat(40);
  const paths = [...diff.matchAll(/^diff --git a\/.* b\/(.*)$/gm)].map(([, path]) => path);
  /** @type {import("../src/record/attempt.ts").Attempt} */
  const attempt = {
    number: 1,
    turn: {end: {kind: "answered"}, answer: "Done.", usage: NO_USAGE, model: "", durationMs: 0},
    candidate: {commit: id, tree: id, base: id},
    changes: paths.map((path) => ({path, status: "modified"})),
    verification: null,
    verdict: {kind: "verified"},
  };
  const surroundings = {issue: "", comments: [], rules: "", specs: ""};
  return createJudge({request: {request, ...surroundings}, ask, samples})({diff, attempt, previous: null});
}

/** Each commit with its own message, and with the message of the nearest commit that touches one of its files. */
function commitCases(repository, count) {
  const git = (...args) => {
    try {
      return execFileSync("git", ["-C", repository, ...args], {encoding: "utf8", maxBuffer: 1 << 28, stdio: "pipe"});
    } catch (error) {
      const message = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
      return stop(`--repository ${repository} cannot be read: ${message}`);
    }
  };
  const ids = git("log", "--no-merges", "--format=%H", `-${count * 10}`)
    .trim()
    .split("\n");
  const commits = ids
    .map((id) => ({
      message: git("show", "-s", "--format=%B", id).trim(),
      diff: git("show", "--format=", "--no-color", "--no-ext-diff", "--unified=5", id),
      files: git("show", "--format=", "--name-only", id).trim().split("\n"),
    }))
    .filter(({message, files}) => message.length >= SHORTEST_MESSAGE && files.length <= MAX_FILES);
  const cases = commits.slice(0, count).flatMap(({message, diff, files}) => {
    const neighbour = commits.find((one) => one.message !== message && one.files.some((file) => files.includes(file)));
    const own = {request: message, diff, isGood: true};
    return neighbour === undefined ? [own] : [own, {request: neighbour.message, diff, isGood: false}];
  });
  if (cases.length === 0) stop("no commit of this repository is usable: messages need 60 characters");
  return cases;
}

function fileCases(file) {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    const cases = lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
    if (cases.length === 0) throw new Error("it is empty");
    if (cases.every(isCase)) return cases;
    throw new Error("each line needs the texts `request` and `diff`, and `isGood`, true or false");
  } catch (error) {
    return stop(`--cases ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

const isCase = (one) =>
  typeof one?.request === "string" && typeof one.diff === "string" && typeof one.isGood === "boolean";

/** "Not met" is the positive answer: precision is the share of objections that are right. */
function figures(rows) {
  const judged = rows.filter(({opinion}) => opinion.kind === "judged");
  if (judged.length === 0) stop(`no usable answer in ${rows.length} cases, so nothing was measured`, 1);
  const objects = ({opinion}) => opinion.outcome === "not-met";
  const count = (of) => judged.filter(of).length;
  const right = count((row) => objects(row) && !row.isGood);
  const wrong = count((row) => objects(row) && row.isGood);
  const missed = count((row) => !objects(row) && !row.isGood);
  const good = count(({isGood}) => isGood);
  const points = judged.flatMap(({opinion}) => opinion.points);
  const percent = (part, whole) => (whole === 0 ? 0 : (100 * part) / whole);
  const agreed = (judged.length - wrong - missed) / Math.max(1, judged.length);
  const byChance =
    ((right + wrong) * (right + missed) + (good - wrong + missed) * good) / Math.max(1, judged.length) ** 2;
  const kappa = byChance === 1 ? 1 : (agreed - byChance) / (1 - byChance);
  const usd = rows.reduce((sum, {opinion}) => sum + opinion.usage.costUsd, 0);
  const tokens = rows.reduce((sum, {opinion}) => sum + opinion.usage.input + opinion.usage.output, 0);
  const isUnpriced = rows.some(({opinion}) => opinion.usage.hasUnknownCost);
  const recall =
    right + missed === 0 ? "not measured, no case is bad" : `${percent(right, right + missed).toFixed(1)} %`;
  const cost = isUnpriced ? "cost unknown" : `$${usd.toFixed(4)}`;
  console.log(`recall ${recall}, κ ${kappa.toFixed(2)}, ${tokens} tokens, ${cost}`);
  return {
    cases: rows.length,
    kappa,
    recall: percent(right, right + missed),
    costUsd: usd,
    tokens,
    bounds: [
      {what: "objections that are wrong", value: percent(wrong, right + wrong), bound: 10, unit: "%"},
      {what: "good changes with an objection", value: percent(wrong, good), bound: 5, unit: "%"},
      {what: "disagreement beyond chance (1 - κ)", value: 1 - kappa, bound: 0.4, unit: ""},
      {
        what: "points that flip when shuffled",
        value: percent(points.filter(({answer}) => answer === "split").length, points.length),
        bound: 5,
        unit: "%",
      },
      {what: "cases without an opinion", value: percent(rows.length - judged.length, rows.length), bound: 2, unit: "%"},
    ],
  };
}
