/** The words of the one commit: a template around a cleaned subject, with trailers that say what was verified. */

/** Where and for whom the commit was made; all of it goes into the message. */
export interface CommitFacts {
  /** the request, or any text of others; only its first line is used, cleaned */
  readonly request: string;
  /** number of the issue or pull request; null on the command line */
  readonly issue: number | null;
  readonly run: string;
  readonly base: string;
  readonly tree: string;
  readonly verified: boolean;
  /** who asked, by the account's number: then it is credited whatever its present name */
  readonly requester: {readonly login: string; readonly id: number} | null;
}

const SUBJECT_CHARS = 72;
const MAX_READ = 2_000;
const FALLBACK = "Make the requested change";

const SKIP_WORDS =
  /[[(]? ?\b(?:skip[ _-]?ci|ci[ _-]?skip|no[ _-]?ci|skip[ _-]?actions|actions[ _-]?skip|skip[ _-]?checks(?: ?: ?true)?)\b ?[\])]?|\*\*\*NO_CI\*\*\*/giu;

/** The whole message, with a line break at its end. */
export function commitMessage(facts: CommitFacts): string {
  const {requester} = facts;
  const body = facts.issue === null ? [] : [`Requested in issue ${facts.issue}.`, ""];
  const trailers = [
    `${facts.verified ? "Assay-Verified-Tree" : "Assay-Unverified-Tree"}: ${facts.tree}`,
    `Assay-Base: ${facts.base}`,
    `Assay-Run: ${facts.run.replaceAll(/[^\w.:/-]/g, "")}`,
  ];
  if (requester !== null && /^[A-Za-z0-9-]+$/.test(requester.login)) {
    const {login, id} = requester;
    trailers.push(`Co-authored-by: ${login} <${id}+${login}@users.noreply.github.com>`);
  }
  return [commitSubject(facts.request), "", ...body, ...trailers, ""].join("\n");
}

/** True for a message that `commitMessage` has made, by its trailer. Anyone can write the same: ask where the commit is, too. */
export function namesRun(message: string): boolean {
  const trailers = message.trimEnd().split("\n\n").at(-1) ?? "";
  return /^Assay-Run: [\w.:/-]+$/m.test(trailers);
}

/**
 * One line of at most 72 characters that cannot do anything: no control or invisible characters, no mention, no issue that
 * GitHub would close, no trailer, no word that CI obeys. The list of skip words is GitHub's own
 * (docs.github.com, "Skipping workflow runs"), with the forms other services take.
 */
export function commitSubject(request: string): string {
  const line = request
    .slice(0, MAX_READ)
    .normalize("NFC")
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((text) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "").trim())
    .find((text) => text !== "");
  let subject = line ?? "";
  // What is taken out can bring together what stood around it, so it goes on until nothing changes; each round shortens.
  for (let before = ""; before !== subject; ) {
    before = subject;
    subject = withoutEffects(subject);
  }
  const characters = [...subject];
  if (characters.length === 0) return FALLBACK;
  const isLong = characters.length > SUBJECT_CHARS;
  const start = characters.slice(0, SUBJECT_CHARS - 1).join("");
  const cut = isLong ? `${start.trimEnd()}…` : subject;
  return cut.charAt(0).toUpperCase() + cut.slice(1);
}

function withoutEffects(line: string): string {
  return (
    line
      .replaceAll(/\s+/g, " ")
      .replaceAll(SKIP_WORDS, "")
      .replaceAll(/(?<!\w)@(?=[\w-])/g, "")
      .replaceAll(/#(?=\d)/g, "")
      .replaceAll(/\bGH-(?=\d)/gi, "")
      .replaceAll(/https?:\/\/\S+/g, "")
      // "Key: value" in the first line of a message could be read as a trailer
      .replace(/^([\w-]+-by|Assay-[\w-]+)\s?:/i, "$1")
      .replace(/^[\s#>*`\-:]+/, "")
      .trim()
  );
}
