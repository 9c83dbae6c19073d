/** The main job on this machine, told as it happens; `assay demo` starts this. Ends 0 only when everything is as promised. */
import {writeFile} from "node:fs/promises";
import {relative} from "node:path";
import {parseArgs} from "node:util";
import picocolors from "picocolors";
import {runPage} from "../../src/report/page.ts";
import {typescript} from "../rig/projects.ts";
import {assertPromises, CHECKS} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import type {Outcome, Rig} from "../rig/world.ts";
import {ISSUE, PROMISES, REQUEST, TURNS} from "./script.ts";
import {openTeller, type Teller} from "./teller.ts";

const {values} = parseArgs({
  options: {report: {type: "string", default: "demo-report.md"}, product: {type: "string"}},
});
const {bold, dim, green, red} = picocolors;
const write = (text: string) => void process.stdout.write(text);

write(`${bold("Assay: the main job, on this machine.")}\n`);
write("Real: git and its server, npm, tsc, eslint, vitest, the agent pi, and Assay as the action runs it.\n");
write("Stand-ins: GitHub's API (each request is checked against GitHub's own description) and the model.\n");

const rig = await createRig({
  files: typescript(),
  ...(values.product !== undefined && {product: values.product}),
});
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => void rig[Symbol.asyncDispose]().then(() => process.exit(130)));
}
try {
  process.exitCode = await demo(rig);
} finally {
  await rig[Symbol.asyncDispose]();
}

async function demo(rig: Rig): Promise<number> {
  rig.model.script(TURNS);
  let isOver = false;
  const prompt = async (attempt: number) => {
    while (rig.model.prompts[attempt - 1] === undefined && !isOver) await new Promise((wake) => setTimeout(wake, 50));
    return rig.model.prompts[attempt - 1] ?? null;
  };
  const teller = openTeller({write, prompt, greeting: () => greeting(rig)});

  teller.heading("A comment comes in");
  const issue = await rig.openIssue(ISSUE);
  teller.line(`${rig.origin.name}, issue ${issue}: ${ISSUE.title}`);
  teller.line(`💬 ${bold("will")}: ${REQUEST}`);
  const running = await rig.begin(REQUEST, {by: "will", on: issue, onOutput: teller.hear});
  const outcome = await running.ended.finally(() => {
    isOver = true;
  });
  await teller.told();
  await tellPublication({rig, outcome, teller});
  const [files, report] = await tellReport({outcome, teller});
  const broken = await problems({rig, outcome, report});
  tellPromises({rig, broken, files, teller});
  return broken.length === 0 ? 0 : 1;
}

/** What came over the wire until now, not what should have come. */
function greeting({github}: Rig): string {
  const posts = github.requests.filter(({method, status}) => method === "POST" && status < 300);
  const eyes = posts.some(({path, body}) => path.endsWith("/reactions") && body.includes("eyes"));
  const comments = posts.filter(({path}) => path.endsWith("/comments")).length;
  return `${eyes ? "👀 on the comment" : "no reaction"}, and ${comments} comment by the bot, to be kept up to date`;
}

async function tellPublication({rig, outcome, teller}: {rig: Rig; outcome: Outcome; teller: Teller}): Promise<void> {
  const publication = outcome.record?.publication;
  if (publication?.kind !== "published") return;
  const facts = await rig.origin.facts(publication.ref);
  teller.line(
    `commit ${bold(facts.commit.slice(0, 12))} on ${publication.ref.replace("refs/heads/", "")}, pushed once`,
  );
  teller.quote(facts.message.trim().replaceAll(/^Assay-[A-Za-z-]+(?=:)/gm, (trailer) => green(trailer)));
  for (const pull of outcome.pullRequests) {
    teller.line(`pull request ${bold(String(pull.number))}: ${pull.title} (${pull.head} into ${pull.base})`);
  }
}

/** Shows the report down to its folded blocks, and writes all of it. */
async function tellReport({
  outcome,
  teller,
}: {
  outcome: Outcome;
  teller: Teller;
}): Promise<[files: string[], report: string]> {
  const report = outcome.comments.find(({id}) => id === outcome.record?.thread?.commentId)?.body ?? "";
  teller.heading("The report, as it stands in the issue");
  const [open = "", ...folded] = report.split(/^<details>\n/m);
  const summaries = folded.map((part) => /<summary>(.*)<\/summary>/.exec(part)?.[1] ?? "");
  teller.quote(open.replace(/^<!--.*-->\n/, "").trim() || red("There is none."));
  if (summaries.length > 0) teller.line(dim(`and folded: ${summaries.join(", ")}`));
  const reply = outcome.notices[0]?.body.split("\n")[1] ?? red("There is none.");
  teller.line(`and one new reply, because GitHub sends no mail for an edit: ${reply}`);
  const page = values.report.replace(/(\.md)?$/, ".html");
  await writeFile(values.report, report);
  if (outcome.record !== null) await writeFile(page, runPage(outcome.record));
  const files = [values.report, page];
  return [files, report];
}

/** The general promises, and what this very story must have come to. */
async function problems({rig, outcome, report}: {rig: Rig; outcome: Outcome; report: string}): Promise<string[]> {
  const {record} = outcome;
  const general = await assertPromises(rig, outcome, {mayInstall: true}).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  const wanted: readonly [string, boolean][] = [
    ["the run ends with 0", outcome.exitCode === 0],
    ["there are two attempts", record?.attempts.length === 2],
    ["the first is red for its types and its tests", stagesOf(record?.attempts[0]?.verdict) === "typecheck, test"],
    ["the second is verified", record?.verdict.kind === "verified"],
    ["both turns are one session", rig.model.history.join() === "0,1"],
    ["one pull request is open", outcome.pullRequests.filter(({state}) => state === "open").length === 1],
    ["the report says so", report.includes("**✅ Verified**")],
  ];
  return [...general, ...wanted.filter(([, isSo]) => !isSo).map(([sentence]) => `not as promised: ${sentence}`)];
}

function stagesOf(verdict: {kind: string; stages?: string[]} | undefined): string {
  return verdict?.kind === "failed" ? (verdict.stages ?? []).join(", ") : "";
}

function tellPromises({
  rig,
  broken,
  files,
  teller,
}: {
  rig: Rig;
  broken: readonly string[];
  files: readonly string[];
  teller: Teller;
}): void {
  teller.heading("What was promised (docs/internals/threats.md), checked from outside");
  const ids = new Set(CHECKS.map(({id}) => id));
  for (const [id, words] of Object.entries(PROMISES)) {
    if (ids.has(id) && !broken.join().includes(`${id}: `)) teller.line(`${green("✓")} ${id.padEnd(3)} ${words}`);
  }
  const {requests, invalid} = rig.github;
  teller.line(`${requests.length} requests to GitHub, ${invalid.length} of them not as GitHub describes them`);
  for (const sentence of broken) teller.line(red(`✗ ${sentence}`));
  teller.line(`The report: ${files.map((file) => relative(process.cwd(), file) || file).join(" and ")}`);
}
