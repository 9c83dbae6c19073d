/** Finding the specs for a task: recall on real histories, and time and memory for ten thousand specs. */
import {execFileSync, spawnSync} from "node:child_process";
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {findSpecFiles, keepVisibleBytes} from "../src/specs/find-specs.ts";
import {scoreByNames} from "../src/specs/scorers/names.ts";
import {LIMITS, scoreByTfIdf, scoreWithin} from "../src/specs/scorers/tf-idf.ts";
import {median} from "./median.mjs";
import {queriesOf} from "./spec-queries.mjs";

const REPOSITORIES = [
  ...["Fission-AI/OpenSpec", "jixoai/openspecui", "johnnyblabs/intellij-openspec", "23492/norish", "AGIBuild/Modulus"],
  ...["IndustriousKraken/openspec-autocoder", "CorvidLabs/fledge", "CorvidLabs/spec-sync", "CorvidLabs/corvid-agent"],
];
const MANY = 100;
const SPECS = 10_000;
const SPEC_BYTES = 11_000;
/** Reads the same shares of the specs as with ten thousand. */
const scoreAsOfMany = (task, specs) =>
  scoreWithin({...LIMITS, allBytes: (LIMITS.allBytes / SPECS) * specs.length, minReadAgain: 5})(task, specs);
const scoreWhole = scoreWithin({...LIMITS, allBytes: Number.POSITIVE_INFINITY});
/** Of each repository, among the specs of all repositories. */
const POOLED_QUERIES = 25;
const ROUNDS = 5;

export async function measure() {
  const recall = measureRecall();
  const large = measureLarge();
  return {...recall, ...large, bounds: [...recall.bounds, ...large.bounds]};
}

/** `ASSAY_REPOSITORIES` is a folder with a git directory `OWNER+NAME/repo` for each repository; `ASSAY_SPEC_REPOSITORIES` names others. */
function measureRecall() {
  const folder = process.env.ASSAY_REPOSITORIES ?? "";
  if (folder === "") {
    console.log("specs: recall is not measured; set ASSAY_REPOSITORIES to a folder with the listed repositories");
    return {bounds: []};
  }
  const names = process.env.ASSAY_SPEC_REPOSITORIES?.split(",") ?? REPOSITORIES;
  const scorers = {"tf-idf": scoreByTfIdf, names: scoreByNames};
  const repositories = names.map((name) => {
    const git = join(folder, name.replace("/", "+"), "repo");
    if (!existsSync(git)) throw new Error(`${name} is not in ${folder}`);
    const queries = queriesOf(git);
    const rows = Object.entries(scorers).map(([scorer, score]) => [
      scorer,
      queries.map((query) => judged(query, score)),
    ]);
    const sizes = queries.map(({specs}) => specs.length);
    const result = {name, queries, sizes: [Math.min(...sizes), Math.max(...sizes)], scorers: Object.fromEntries(rows)};
    const {at3, at5} = mean(result.scorers["tf-idf"]);
    console.log(
      `${name}: ${queries.length} queries on ${result.sizes.join("–")} specs: recall@3 ${at3.toFixed(2)}, @5 ${at5.toFixed(2)}; names ${mean(result.scorers.names).at3.toFixed(2)}`,
    );
    return result;
  });
  const macro = (scorer, key) => mean(repositories.map((one) => mean(one.scorers[scorer])))[key];
  const all = repositories.flatMap((one) => one.scorers["tf-idf"]);
  const many = all.filter(({specs}) => specs > MANY);
  console.log(
    `macro: recall@3 ${macro("tf-idf", "at3").toFixed(3)}, @5 ${macro("tf-idf", "at5").toFixed(3)}; names ${macro("names", "at3").toFixed(3)}; pooled ${mean(all).at3.toFixed(3)} of ${all.length}`,
  );
  const missed = (what, value, most) => ({what, value: 1 - value, bound: most, unit: "missed"});
  return {
    repositories: repositories.map(({name, sizes, scorers: {"tf-idf": own}}) => ({name, sizes, ...mean(own)})),
    bounds: [
      missed("1 - recall@3, mean of the repositories", macro("tf-idf", "at3"), 0.26),
      measurePooled(repositories),
      ...(many.length === 0
        ? []
        : [missed(`1 - recall@5 of ${many.length} queries on more than ${MANY} specs`, mean(many).at5, 0.45)]),
    ],
  };
}

/** The specs of all repositories together are so many that the beginnings have to leave most of them out. */
function measurePooled(repositories) {
  const rows = repositories.map(({name, queries}) => {
    const others = repositories.flatMap((one) => (one.name === name ? [] : (one.queries.at(-1)?.specs ?? [])));
    const step = Math.max(1, queries.length / POOLED_QUERIES);
    const count = Math.min(POOLED_QUERIES, queries.length);
    return Array.from({length: count}, (_, at) => {
      const query = queries[Math.floor(at * step)];
      const own = new Set(query.specs.map(({path}) => path));
      const pooled = {...query, specs: [...query.specs, ...others.filter(({path}) => !own.has(path))]};
      return {whole: judged(pooled, scoreWhole), many: judged(pooled, scoreAsOfMany)};
    });
  });
  const macro = (kind) => mean(rows.map((row) => mean(row.map((one) => one[kind])))).at3;
  const [whole, many] = [macro("whole"), macro("many")];
  console.log(
    `among the specs of all repositories: recall@3 ${whole.toFixed(3)} if all are read whole, ${many.toFixed(3)} if read as of ${SPECS}`,
  );
  return {
    what: `recall@3 lost among all specs, if read as of ${SPECS}`,
    value: whole - many,
    bound: 0.02,
    unit: "lost",
  };
}

function judged({task, specs, targets}, score) {
  const texts = new Map(specs.map(({path, text}) => [path, text]));
  const known = findSpecFiles([...texts.keys()], null).map((spec) => ({
    ...spec,
    clean: keepVisibleBytes,
    read: (most) => Buffer.from(texts.get(spec.path) ?? "").subarray(0, most),
  }));
  const ranked = score(task, known).map(({spec}) => spec.path);
  const share = (top) => targets.filter((path) => ranked.slice(0, top).includes(path)).length / targets.length;
  return {at3: share(3), at5: share(5), specs: specs.length};
}

function mean(rows) {
  const of = (key) => rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
  return {at3: of("at3"), at5: of("at5"), queries: rows.length};
}

/** Ranking beside reading the same files, each in a process of its own, so that none profits from the other's memory. */
function measureLarge() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-specs-"));
  try {
    writeSpecs(folder);
    const rounds = Array.from({length: ROUNDS}, () => ({rank: timed("rank", folder), read: timed("read", folder)}));
    const ratio = median(rounds.map(({rank, read}) => rank.ms / read.ms));
    const megabytes = median(rounds.map(({rank}) => rank.megabytes));
    const ms = (kind) => median(rounds.map((round) => round[kind].ms)).toFixed(0);
    console.log(`${SPECS} specs of ${SPEC_BYTES} bytes: ranked in ${ms("rank")} ms, read in ${ms("read")} ms`);
    return {
      rounds,
      bounds: [
        {what: `ranking ${SPECS} specs against reading them`, value: ratio, bound: 3, unit: "×"},
        {what: `ranking ${SPECS} specs: memory above the start`, value: megabytes, bound: 200, unit: "MB"},
      ],
    };
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** Words with the frequencies of prose (Zipf), and a vocabulary of 20,000. */
function writeSpecs(folder) {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const words = Array.from({length: 20_000}, () =>
    Array.from(
      {length: 2 + Math.floor(random() * 4)},
      () => "bcdfglmnprst"[Math.floor(random() * 12)] + "aeiou"[Math.floor(random() * 5)],
    ).join(""),
  );
  for (let at = 0; at < SPECS; at++) {
    const parts = ["## Purpose\n"];
    for (let length = 0; length < SPEC_BYTES; ) {
      const word = words[Math.floor(words.length ** random()) - 1] ?? "a";
      parts.push(word);
      length += word.length + 1;
    }
    mkdirSync(join(folder, `specs/m${at}`), {recursive: true});
    writeFileSync(join(folder, `specs/m${at}/m${at}.spec.md`), parts.join(" ").slice(0, SPEC_BYTES));
  }
  execFileSync("git", ["init", "-q"], {cwd: folder});
  execFileSync("git", ["add", "-A"], {cwd: folder});
}

function timed(kind, folder) {
  const ran = spawnSync(process.execPath, [fileURLToPath(new URL("spec-worker.mjs", import.meta.url)), kind], {
    cwd: folder,
    encoding: "utf8",
  });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return JSON.parse(ran.stdout);
}
