/** `assay stats`: what the runs of a repository, or of all repositories of an owner, came to, read from GitHub. */
import {writeFile} from "node:fs/promises";
import {stripVTControlCharacters} from "node:util";
import {setFlagsFromString} from "node:v8";
import type {Refused} from "../github/transport.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {printFailure} from "./error-text.ts";
import {gitTop} from "./git-top.ts";
import type {WrongArgument} from "./local-setup.ts";
import {originPage, originServer} from "./origin-server.ts";
import {jsonText} from "./reporters/json-text.ts";
import {plain} from "./reporters/plain-text.ts";
import {type PastWork, readEach, readPastWork} from "./stats/read-stats.ts";
import {statsRows} from "./stats/rows.ts";
import {summarize} from "./stats/summarize.ts";

export interface StatsOptions {
  readonly days: number;
  readonly repository?: string;
  /** its repositories with Assay's workflow, instead of one */
  readonly org?: string;
  readonly author: string;
  readonly json?: boolean;
  /** a file for the page */
  readonly page?: string;
}

const WORKFLOW = ".github/workflows/assay.yml";
/** 100 repositories a page */
const MAX_PAGES = 20;

interface StatsReading {
  readonly work: readonly PastWork[];
  readonly unread: readonly {readonly repository: string; readonly message: string}[];
}

/** Exit 0; 2 if GitHub does not answer, 3 for wrong arguments. */
export async function statsCommand(options: StatsOptions): Promise<number> {
  // Hundreds of pages of text pass by: V8 would let them fill 140 MB before it collects any.
  setFlagsFromString("--semi-space-growth-factor=1");
  const nowMs = Date.now();
  const since = new Date(nowMs - options.days * 24 * 3_600_000).toISOString();
  const reading = await read(options, since);
  if (!reading.ok)
    return reading.failure.kind === "github-refused" ? noAnswer(reading.failure) : printFailure(reading.failure);
  const {work, unread} = reading.value;
  const all = {runs: work.flatMap(({runs}) => runs), changes: work.flatMap(({changes}) => changes)};
  const stats = summarize({...all, nowMs});
  const {org} = options;
  const repositories =
    org === undefined ? [] : work.map((one) => ({repository: one.repository, ...summarize({...one, nowMs})}));
  const title = org ?? work[0]?.repository ?? "";
  if (options.page !== undefined) {
    const {statsPage} = await import("./stats/page.ts");
    try {
      await writeFile(options.page, statsPage({title, since, stats, repositories}));
    } catch {
      return printFailure({kind: "wrong-argument", sentence: `error: ${options.page} could not be written.`});
    }
  }
  const subject = org === undefined ? {repository: title} : {owner: org, repositories, unread};
  const document = {schema: "assay.stats/1", since, ...stats, ...subject};
  const heading = `${title}, the last ${options.days} days`;
  const lines = [heading, ...statsRows(stats).map(([name, text]) => `  ${name.padEnd(14)} ${plain(text)}`)];
  if (org !== undefined) lines.push(`  repositories   ${repositories.length} with ${WORKFLOW}`);
  lines.push(...unread.map(({repository, message}) => `  not read       ${plain(`${repository}: ${message}`)}`));
  process.stdout.write(`${options.json === true ? jsonText(document) : lines.join("\n")}\n`);
  return 0;
}

/** The general words are for the token of a workflow. */
function noAnswer({status, request, message}: Refused): 2 {
  const ofToken = status === 401 || status === 403;
  const [what, next] =
    message === TOO_MANY
      ? [request, "Name fewer days with --days"]
      : status === 0 || status >= 500
        ? [`GitHub could not be reached${status === 0 ? "" : ` (status ${status})`}`, "Check the network"]
        : [
            `GitHub refused${ofToken ? " the token" : ""} (status ${status})`,
            `Check ${ofToken ? "" : "the name, and "}GITHUB_TOKEN: it needs to read issues and pull requests`,
          ];
  process.stderr.write(`error: ${what}: ${stripVTControlCharacters(message)}\n${next}, then run the command again.\n`);
  return 2;
}

/** What a list says that has more entries than are read. */
const TOO_MANY = "there are too many of them";

async function read(
  {repository: named, org, author}: StatsOptions,
  since: string,
): Promise<Result<StatsReading, Refused | WrongArgument>> {
  const repository = org ?? named ?? (await originRepository());
  if (repository === null) return wrongArgument("the repository is not known. Name it: `--repository OWNER/NAME`.");
  const {GITHUB_TOKEN, GH_TOKEN, GITHUB_API_URL} = process.env;
  const server = (org ?? named) || GITHUB_API_URL ? null : await originServer(process.cwd());
  if (server !== null)
    return wrongArgument(`\`origin\` is on ${server}. Set GITHUB_API_URL to its API, or name a \`--repository\`.`);
  const token = GITHUB_TOKEN || GH_TOKEN;
  if (!token)
    return wrongArgument("there is no token. Set GITHUB_TOKEN, for example to the output of `gh auth token`.");
  const {connect} = await import("../github/client.ts");
  const apiUrl = GITHUB_API_URL || "https://api.github.com";
  const open = (name: string) => connect({token, apiUrl, repository: name, log: () => {}});
  const readOne = (name: string) => readPastWork(open(name), {repository: name, author, since});
  if (org === undefined) {
    const one = await readOne(repository);
    return one.ok ? ok({work: [one.value], unread: []}) : one;
  }
  const names = await open(org).repositoriesWith(WORKFLOW, MAX_PAGES);
  if (!names.ok) return names;
  const readings = await readEach(names.value, async (name) => ({name, reading: await readOne(name)}));
  return ok({
    work: readings.flatMap(({reading}) => (reading.ok ? [reading.value] : [])),
    unread: readings.flatMap(({name, reading}) =>
      reading.ok ? [] : [{repository: name, message: reading.failure.message}],
    ),
  });
}

async function originRepository(): Promise<string | null> {
  const folder = gitTop(process.cwd());
  const page = folder === null ? null : await originPage(folder);
  return page === null ? null : new URL(page).pathname.slice(1);
}

function wrongArgument(sentence: string): Result<never, WrongArgument> {
  return refused({kind: "wrong-argument", sentence: `error: ${sentence}`});
}
