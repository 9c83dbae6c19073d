/** Whether real tests notice faults in the changed lines of real commits, and how much time that adds to their verification. */
import {readFileSync} from "node:fs";
import {runChosenTests} from "../src/proof/bite/run-chosen-tests.ts";
import {measureSensitivity} from "../src/proof/sensitivity/measure-sensitivity.ts";
import {openCommit, openLab, repositoriesOf} from "./commit-lab.mjs";
import {median} from "./median.mjs";

/** Commits by repository, newest first: `git log` for fixes and features that change sources and tests. */
const COMMITS = JSON.parse(readFileSync(new URL("sensitivity-commits.json", import.meta.url), "utf8"));
const SHARE = 0.25;
/** Without the product's limit, to see what the rest of the faults would show. */
const PATIENCE_MS = 90_000;

export async function measure() {
  const repositories = repositoriesOf();
  if (repositories === null) {
    console.log("sensitivity: not measured; set ASSAY_REPOSITORIES to a folder with the listed repositories");
    return {bounds: []};
  }
  const rows = [];
  for (const entry of repositories.filter(({name}) => COMMITS[name] !== undefined)) {
    const lab = await openLab(entry).catch(
      (error) => void console.log(`${entry.name}: ${String(error).slice(0, 300)}`),
    );
    if (lab === undefined) continue;
    try {
      for (const id of COMMITS[entry.name]) {
        const row = {name: entry.name, language: entry.language, id, ...(await measureCommit(lab, id))};
        rows.push(row);
        console.log(lineOf(row));
      }
    } finally {
      lab.remove();
    }
  }
  return summary(rows);
}

async function measureCommit(lab, id) {
  const opened = await openCommit(lab, id, {needsTests: false});
  if (opened === null) return {left: "it has no parent"};
  const {checkouts, candidate} = opened;
  try {
    const runs = [{stage: lab.stage, command: lab.stage.command}];
    const startMs = performance.now();
    const ran = await runChosenTests({...opened, commit: candidate.commit, runs});
    const verificationMs = performance.now() - startMs;
    if (!ran.ok) return {left: ran.failure};
    const [result] = ran.value;
    if (result?.outcome !== "passed")
      return {left: `does not pass here: ${result?.reason} ${result?.diagnostics[0]?.message ?? ""}`.slice(0, 160)};
    const about = {...opened, stages: ran.value};
    const limitedFrom = performance.now();
    const limited = await measureSensitivity({...about, budgetMs: SHARE * verificationMs});
    const limitedMs = performance.now() - limitedFrom;
    const whole = await measureSensitivity({...about, budgetMs: PATIENCE_MS});
    return {verificationMs, limited, limitedMs, whole};
  } finally {
    await checkouts.dispose();
  }
}

const tried = (counts) => (counts === null ? 0 : counts.noticed + counts.notNoticed.length);

/** @param {any} row */
function lineOf({name, id, left, verificationMs, limited, limitedMs, whole}) {
  const start = `${name} ${id.slice(0, 10)}`;
  if (left !== undefined) return `${start}  left out: ${left}`;
  const time = `${(verificationMs / 1000).toFixed(1)} s + ${((100 * limitedMs) / verificationMs).toFixed(0)} %`;
  const faults = (whole?.notNoticed ?? []).map(({path, line, from, to}) => `\n    ${path}:${line} ${from} → ${to}`);
  return `${start}  ${time}: ${tried(limited)} tried; without limit ${whole?.noticed ?? 0} of ${tried(whole)}${faults.join("")}`;
}

function summary(rows) {
  const measured = rows.filter(({left}) => left === undefined);
  const languages = [...new Set(measured.map(({language}) => language))];
  for (const language of languages) {
    const own = measured.filter((row) => row.language === language);
    const sum = (count) => own.reduce((all, row) => all + count(row), 0);
    console.log(
      `${language}: ${own.length} commits, ${sum(({whole}) => whole?.noticed ?? 0)} of ${sum(({whole}) => tried(whole))} faults noticed; ` +
        `within the limit ${sum(({limited}) => tried(limited))} tried, in ${own.filter(({limited}) => limited !== null).length} commits`,
    );
  }
  const shares = measured.map(({limitedMs, verificationMs}) => (100 * limitedMs) / verificationMs);
  const total = (key) => measured.reduce((all, row) => all + row[key], 0);
  return {
    rows,
    medianShare: median(shares),
    worstShare: Math.max(0, ...shares),
    bounds: [
      {
        what: "time added to all verifications",
        value: (100 * total("limitedMs")) / Math.max(1, total("verificationMs")),
        bound: 25,
        unit: "%",
      },
    ],
  };
}
