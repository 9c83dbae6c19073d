/** Assay on public repositories: the verdict on the clean head, on a bug and on an honest change, and its time beside a plain shell's. */
import {readFileSync, rmSync} from "node:fs";
import {median} from "./median.mjs";
import {openRealRepository} from "./real-repository.mjs";

/** Each entry: the commit, how its people install and check it by hand, a bug that these checks catch, and a change that they let pass. */
const LIST = new URL("real-repositories.json", import.meta.url);
const GREEN = ["verified", "verified-with-preexisting"];
/** `unverified` is not red: a tool that the machine lacks is reported as such. */
const RED = ["failed", "tampered", "none"];

/** `ASSAY_BENCH_ONLY=owner/name,…` measures a part of the list; the last part of a name is enough. */
export async function measure() {
  const only = (process.env.ASSAY_BENCH_ONLY ?? "").split(",").filter((name) => name !== "");
  const isWanted = ({name}) => only.length === 0 || only.some((one) => name === one || name.endsWith(`/${one}`));
  const rows = [];
  for (const entry of JSON.parse(readFileSync(LIST, "utf8")).filter(isWanted)) {
    const row = {...judge(entry), ecosystem: entry.ecosystem, monorepo: entry.monorepo ?? false};
    rows.push(row);
    console.log(lineOf(row));
    for (const {stage, why} of row.problems ?? []) console.log(`    ${stage}: ${why}`);
  }
  const measured = rows.filter(({left}) => left === undefined);
  const ratios = measured.flatMap(({ratios}) => ratios);
  if (measured.length === 0) return {rows, bounds: []};
  const falseReds = measured.filter(({falseRed}) => falseRed).length;
  return {
    rows,
    bounds: [
      {what: "false greens", value: measured.filter(({falseGreen}) => falseGreen).length, bound: 0, unit: ""},
      {what: "false reds in 20 repositories", value: (20 * falseReds) / measured.length, bound: 1, unit: ""},
      {
        what: "files of init that do not parse",
        value: measured.filter(({init}) => init !== "").length,
        bound: 0,
        unit: "",
      },
      {what: "median wall time beside a plain shell's", value: median(ratios), bound: 1.15, unit: "×"},
    ],
  };
}

/** `left`: why the repository cannot be measured here: its own commands fail, pass with the bug, or fail with the honest change. */
function judge(entry) {
  const {name} = entry;
  const opened = openRealRepository(entry);
  if (!opened.ok) return {name, left: opened.why};
  const repository = /** @type {NonNullable<typeof opened.value>} */ (opened.value);
  try {
    const plain = repository.inPlainShell();
    if (!plain.ok) return {name, left: plain.why};
    const clean = repository.verify(null);
    const bug = repository.verify(entry.bug);
    const honest = repository.verify(entry.honest);
    const ratios = [clean, honest].map(({seconds}) => seconds / plain.seconds);
    const isRed = (one) => RED.includes(one.verdict);
    const notGreen = [clean, honest].find((one) => one.verdict !== "verified");
    return {
      name,
      init: repository.init(),
      plain,
      clean,
      bug,
      honest,
      ratios,
      falseGreen: GREEN.includes(bug.verdict) || bug.verdict === "nothing-to-verify",
      falseRed: isRed(clean) || isRed(honest),
      isCaught: bug.verdict === "failed",
      isUnknown: notGreen !== undefined,
      problems: [...plain.failing, ...(notGreen ?? honest).notPassed],
    };
  } finally {
    rmSync(repository.folder, {recursive: true, force: true});
  }
}

/** @param {Record<string, any>} row */
function lineOf({
  name,
  ecosystem,
  left,
  plain,
  clean,
  bug,
  honest,
  ratios,
  falseGreen,
  falseRed,
  isCaught,
  isUnknown,
  init,
}) {
  if (left !== undefined) return `➖ ${name} (${ecosystem}) cannot be measured here: ${left}`;
  const time = (one, ratio) => `${one.verdict} ${one.seconds.toFixed(1)} s (${ratio.toFixed(2)}×)`;
  const sign = falseGreen ? "🚨" : falseRed || init !== "" ? "❌" : isUnknown || !isCaught ? "⚠️" : "✅";
  return [
    `${sign} ${name} (${ecosystem})`,
    `plain shell ${plain.seconds.toFixed(1)} s`,
    `clean ${time(clean, ratios[0])}`,
    `bug ${bug.verdict}`,
    `honest ${time(honest, ratios[1])}`,
    ...(init === "" ? [] : [`init: ${init}`]),
  ].join(" · ");
}
