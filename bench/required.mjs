/**
 * Does the plan run or list what a pull request must pass? `required-repositories.json` has the checks of repositories that no rule
 * was made for, read from their workflows; a pattern finds each in `FOLDER $ COMMAND` of the stages, or of the listed commands of CI.
 * `ASSAY_REPOSITORIES=FOLDER npm run bench -- required`, with each repository in FOLDER as `OWNER+NAME/repo`.
 */
import {execFileSync, spawnSync} from "node:child_process";
import {existsSync, mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
/** Reasons that guess instead of saying what stands in the way. */
const GUESSES = /in another way|another stage of the kind|does not know whether/;

export async function measure() {
  const stored = process.env.ASSAY_REPOSITORIES ?? "";
  const list = process.argv.includes("--list") ? process.argv[process.argv.indexOf("--list") + 1] : undefined;
  const repositories = JSON.parse(
    readFileSync(list ?? new URL("required-repositories.json", import.meta.url), "utf8"),
  ).filter(({name}) => existsSync(join(stored, name.replace("/", "+"), "repo")));
  if (stored === "" || repositories.length === 0) {
    console.log("required: not measured; set ASSAY_REPOSITORIES to a folder with the listed repositories");
    return {bounds: []};
  }
  const rows = repositories.map((repository) => judge(repository, planOf(stored, repository)));
  const sum = (of) => rows.reduce((count, row) => count + row[of].length, 0);
  for (const row of rows) {
    console.log(
      `${row.name}: ${row.stages.length} stages, ${row.listed.length} listed, ${row.untrue.length} untrue, ${row.absent.length} absent, ${row.harmful.length} harmful`,
    );
    for (const kind of ["listed", "untrue", "absent", "harmful"])
      for (const one of row[kind]) console.log(`  ${kind}: ${one}`);
  }
  const all = sum("stages") + sum("listed") + sum("untrue") + sum("absent");
  console.log(
    `${all} checks of ${rows.length} repositories: ${sum("stages")} stages, ${sum("listed")} listed, ${sum("untrue")} untrue, ${sum("absent")} absent; ${sum("harmful")} harmful stages`,
  );
  const share = (part) => (100 * part) / all;
  return {
    rows,
    bounds: [
      {what: "checks that no stage runs", value: share(all - sum("stages")), bound: 18, unit: "%"},
      {what: "checks neither run nor truly listed", value: share(sum("untrue") + sum("absent")), bound: 2.1, unit: "%"},
      {what: "stages that must not run", value: sum("harmful"), bound: 0, unit: "stages"},
    ],
  };
}

function planOf(stored, {name, commit}) {
  const tree = mkdtempSync(join(tmpdir(), "assay-required-"));
  const git = ["--git-dir", join(stored, name.replace("/", "+"), "repo"), "--work-tree", tree];
  const env = {...process.env, GIT_INDEX_FILE: join(tree, ".index")};
  try {
    execFileSync("git", [...git, "read-tree", commit], {env});
    const written = spawnSync("git", [...git, "checkout-index", "--all", "--force"], {
      env,
      cwd: tree,
      encoding: "utf8",
    });
    // A snapshot may lack the largest files, which the plan then does not see.
    if (written.status !== 0)
      console.log(`${name}: some files are not in the stored repository: ${written.stderr.trim().split("\n")[0]}`);
    rmSync(join(tree, ".index"), {force: true});
    return JSON.parse(
      execFileSync(process.execPath, [CLI, "plan", "--json"], {cwd: tree, encoding: "utf8", maxBuffer: 1 << 28}),
    );
  } finally {
    rmSync(tree, {recursive: true, force: true});
  }
}

function judge({name, required, forbidden}, plan) {
  const none = () => /** @type {string[]} */ ([]);
  const row = {name, stages: none(), listed: none(), untrue: none(), absent: none(), harmful: none()};
  const line = ({cwd, command}) => `${cwd} $ ${command}`;
  for (const {check, match} of required) {
    const pattern = new RegExp(match);
    const called = (plan.ci ?? []).filter(
      (one) => pattern.test(line(one)) || pattern.test(`${line(one)} => ${one.outcome.why}`),
    );
    const isCovered = called.some(({outcome}) => outcome.kind === "covered" && !outcome.by.includes("setup"));
    if (isCovered || plan.stages.some((stage) => pattern.test(line(stage)))) {
      row.stages.push(check);
      continue;
    }
    const listed = called.filter(({outcome}) => outcome.kind === "listed");
    const reasons = [...new Set(listed.map(({outcome}) => outcome.why))];
    const kind = listed.length === 0 ? "absent" : reasons.some((why) => GUESSES.test(why)) ? "untrue" : "listed";
    row[kind].push(listed.length === 0 ? check : `${check} (${reasons.join("; ")})`);
  }
  for (const stage of plan.stages)
    if (forbidden.some((pattern) => new RegExp(pattern).test(stage.command))) row.harmful.push(line(stage));
  return row;
}
