/** Promises about what people see: one finished report for each trigger, and bounds on everything. */
import type {Attempt} from "../../../src/record/attempt.ts";
import {BOT} from "../github/people.ts";
import {iconOf} from "./claims.ts";
import type {PromiseCheck, Seen} from "./seen.ts";

export const reportChecks: readonly PromiseCheck[] = [
  {id: "P9", broken: oneFinishedReport},
  {id: "P9", broken: oneReply},
  {id: "P13", broken: bounded},
];

const CAPTURED_BYTES = 64 * 1024;
/** GitHub's limit is 65,536; the report keeps below its own. */
const REPORT_CHARACTERS = 60_000;
const RECORD_CHARACTERS = 8 * 1024 * 1024;
const FIRST_LINE = /^<!-- assay:run=([^\s>]+).*-->$/;

function oneFinishedReport({outcome, nothingAsked}: Seen): string[] {
  const {record, comments, log} = outcome;
  const found: string[] = [];
  // how Node ends when nobody caught what was thrown: a bug, whatever else is there
  if (/^Node\.js v\d+/m.test(log)) found.push("the product crashed");
  if (nothingAsked && record !== null) found.push("there is a run, though nothing was asked");
  if (!nothingAsked && record === null) found.push("there is no record of the run");
  if (record === null || record.thread === null) return found;
  const own = comments.filter(({author, body}) => {
    const run = FIRST_LINE.exec(body.split(/\r?\n/)[0] ?? "")?.[1];
    return author === BOT && run !== undefined && decodeURIComponent(run) === record.run.id;
  });
  if (record.isDryRun) {
    if (own.length > 0) found.push("a dry run has commented");
    if (iconOf(outcome.summary) === null) found.push("the summary of the dry run has no verdict line");
    return found;
  }
  // Where GitHub takes no comment the job's summary is the report, and says why.
  const isInSummary = record.notes.some(({about}) => about === "comment") && iconOf(outcome.summary) !== null;
  if (own.length > 1 || (own.length === 0 && !isInSummary)) {
    found.push(`there are ${own.length} comments of the run ${record.run.id}`);
  }
  if (own.length === 1 && isInSummary) return found;
  if (own[0] && own[0].id !== record.thread.commentId)
    found.push(`the run's comment is ${own[0].id}, not the recorded one`);
  if (own[0] && iconOf(own[0].body) === null) found.push("the comment was never finished");
  if (record.run.finishedAt === null) found.push("the record was never finished");
  return found;
}

/** One reply mentions the person who asked, and nobody else; none is there before the report, or for a bot. */
function oneReply({outcome}: Seen): string[] {
  const {record, notices, comments, log} = outcome;
  const thread = record?.thread ?? null;
  const repeated = notices.filter(({body}, at) =>
    notices.some((other, index) => index < at && marks(other.body, body)),
  );
  const found = repeated.map(({body}) => `there is a second reply: ${body}`);
  if (record === null || thread === null) return found;
  const own = notices.filter(({body}) => marks(body, `<!-- assay:notice=${record.run.id} -->\n`));
  const isShown =
    comments.some(({id}) => id === thread.commentId) && !record.notes.some(({about}) => about === "comment");
  const isRefused = log.includes("The requester could not be notified");
  const isForPerson = /^[\w-]+$/.test(thread.actor) && thread.trigger.kind !== "review-comment";
  const isElsewhere = !isForPerson || record.isQuiet === true || record.isDryRun === true;
  if (own.length > 0 && isElsewhere) found.push("there is a reply where none belongs");
  if (own.length === 0 && isShown && !isElsewhere && !isRefused) found.push("nobody was told that the run is over");
  for (const {body} of own) {
    const mentions = [...body.matchAll(/(?<![\w`])@([\w-]+)/g)].map(([, login]) => login);
    if (mentions.join() !== thread.actor) found.push(`the reply mentions ${mentions.join() || "nobody"}`);
    if (!body.includes(`#issuecomment-${thread.commentId})`)) found.push("the reply does not lead to the report");
  }
  return found;
}

const marks = (one: string, other: string): boolean => one.split("\n")[0] === other.split("\n")[0];

function bounded({outcome}: Seen): string[] {
  const {record, comments, notices, pullRequests} = outcome;
  const found: string[] = [];
  const own = [...comments, ...notices].filter(({author}) => author === BOT);
  for (const {body, id} of own)
    if (body.length > REPORT_CHARACTERS) found.push(`comment ${id} has ${body.length} characters`);
  for (const {body, number} of pullRequests) {
    if (body.length > REPORT_CHARACTERS) found.push(`pull request ${number} has ${body.length} characters`);
  }
  if (record === null) return found;
  const size = JSON.stringify(record).length;
  if (size > RECORD_CHARACTERS) found.push(`the record has ${size} characters`);
  for (const {verification} of record.attempts) {
    for (const {name, output} of [...(verification?.setup ?? []), ...(verification?.stages ?? [])]) {
      const bytes = Math.max(Buffer.byteLength(output?.head ?? ""), Buffer.byteLength(output?.tail ?? ""));
      if (bytes > CAPTURED_BYTES) found.push(`${bytes} bytes of the output of ${name} are kept at one end`);
    }
  }
  // 10 is the most that `verify.json` may ask for, and two may follow when the branch moved
  if (record.attempts.length > 13) found.push(`there were ${record.attempts.length} attempts`);
  const numbers = record.attempts.map(({number}) => number);
  const expected = record.attempts.map((_, index) => index + 1).join(" ");
  // A verified attempt moves behind the ones that an objection of the judge led to, if they did not pass.
  const isMoved = ({opinion, verdict}: Attempt) =>
    opinion?.kind === "judged" && opinion.outcome === "not-met" && verdict.kind.startsWith("verified");
  const moved = record.attempts.find((attempt, at) => isMoved(attempt) && attempt.number < at + 1)?.number;
  const others = numbers.filter((number) => number !== moved);
  const isInOrder = others.every((number, at) => number > (others[at - 1] ?? 0));
  if (!isInOrder || numbers.toSorted((one, other) => one - other).join(" ") !== expected)
    found.push(`the attempts are numbered ${numbers.join(" ")}`);
  return found;
}
