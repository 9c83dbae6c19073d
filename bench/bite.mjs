/** How many real fixes have a test that fails on the parent for the right reason; refactorings and documents for comparison. */
import {chooseTests} from "../src/diagnostics/rerun.ts";
import {findBite} from "../src/proof/bite/bite.ts";
import {runChosenTests} from "../src/proof/bite/run-chosen-tests.ts";
import {commitsOf, openCommit, openLab, repositoriesOf} from "./commit-lab.mjs";
import {median} from "./median.mjs";

const MOST = Number(process.env.ASSAY_BENCH_COMMITS ?? 6);

export async function measure() {
  const repositories = repositoriesOf();
  if (repositories === null) {
    console.log("bite: not measured; set ASSAY_REPOSITORIES to a folder with the listed repositories");
    return {bounds: []};
  }
  const rows = [];
  for (const entry of repositories) {
    const lab = await openLab(entry).catch(
      (error) => void console.log(`${entry.name}: ${String(error).slice(0, 300)}`),
    );
    if (lab === undefined) continue;
    try {
      for (const kind of ["fix", "other"]) {
        let wanted = MOST;
        for (const {id, subject} of commitsOf(entry.git, {kind, most: 6 * MOST})) {
          if (wanted === 0) break;
          const row = await judgeCommit(lab, id, kind);
          if (row === null) continue;
          if (row.left === undefined) wanted -= 1;
          rows.push({name: entry.name, language: entry.language, kind, id, subject, ...row});
          console.log(lineOf(rows.at(-1)));
        }
      }
    } finally {
      lab.remove();
    }
  }
  return summary(rows);
}

async function judgeCommit(lab, id, kind) {
  const opened = await openCommit(lab, id, {needsTests: kind === "fix"});
  if (opened === null) return null;
  const {tests, checkouts, repository, plan, candidate, signal} = opened;
  try {
    const {stage} = lab;
    const files = [...new Set(tests.map(({path}) => path))];
    const chosen = chooseTests({
      command: stage.command,
      files,
      tests: tests.map((test) => ({...test, file: test.path})),
      scripts: {},
    });
    const runs = [{stage, command: chosen ?? stage.command}];
    const ran =
      tests.length === 0
        ? {ok: true, value: []}
        : await runChosenTests({checkouts, repository, plan, commit: candidate.commit, runs, signal});
    if (!ran.ok) return {left: "failure" in ran ? ran.failure : ""};
    const failed = ran.value.find(({outcome}) => outcome !== "passed");
    if (failed !== undefined)
      return {left: `does not pass here: ${failed.reason} ${failed.diagnostics[0]?.message ?? ""}`.slice(0, 160)};
    const bite = await findBite({...opened, stages: ran.value});
    return {tests: bite?.tests ?? [], durationMs: bite?.durationMs ?? 0, candidateMs: ran.value[0]?.durationMs ?? 0};
  } finally {
    await checkouts.dispose();
  }
}

/** The best that one of the tests shows. */
export function outcomeOf({tests}) {
  if (tests.length === 0) return "no tests";
  const kinds = tests.map(({onBase}) => (onBase.kind === "fails" ? onBase.why : onBase.kind));
  return (
    ["assertion", "missing", "error", "not-loaded", "unknown", "passes"].find((kind) => kinds.includes(kind)) ?? ""
  );
}

function lineOf(row) {
  const what = row.left === undefined ? outcomeOf(row) : `left out: ${row.left}`;
  const detail = row.tests?.[0]?.onBase;
  const why = ["unknown", "not-loaded", "error"].includes(what)
    ? `${detail.why ?? ""} ${(detail.message ?? "").slice(0, 100)}`
    : "";
  return `${row.kind}  ${row.name} ${row.id.slice(0, 10)}  ${what}  ${why}  | ${row.subject.slice(0, 60)}`;
}

function summary(rows) {
  const measured = rows.filter(({left}) => left === undefined);
  const fixes = measured.filter(({kind}) => kind === "fix");
  const counts = {};
  for (const row of fixes) counts[outcomeOf(row)] = (counts[outcomeOf(row)] ?? 0) + 1;
  const failing = ["assertion", "missing", "error"].reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  console.log(`${fixes.length} fixes: ${JSON.stringify(counts)}; left out: ${rows.length - measured.length}`);
  const others = measured.filter(({kind}) => kind === "other");
  const otherCounts = {};
  for (const row of others) otherCounts[outcomeOf(row)] = (otherCounts[outcomeOf(row)] ?? 0) + 1;
  console.log(`${others.length} refactorings and documents: ${JSON.stringify(otherCounts)}`);
  const share = fixes.length === 0 ? 0 : (100 * (fixes.length - failing - (counts["not-loaded"] ?? 0))) / fixes.length;
  return {
    rows,
    counts,
    otherCounts,
    medianMs: median(fixes.map(({durationMs}) => durationMs)),
    bounds: [{what: "fixes whose tests are not seen to fail on the parent", value: share, bound: 10, unit: "%"}],
  };
}
