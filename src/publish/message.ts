/** Writes the message of the published commit: a cleaned subject, and trailers with what was verified. */

/** The message contains all of these. */
export interface CommitFacts {
  /** text of others, such as the request; only its first line is used, cleaned */
  readonly request: string;
  /** number of the issue or pull request; null on the command line */
  readonly issue: number | null;
  readonly run: string;
  readonly base: string;
  readonly tree: string;
  readonly verified: boolean;
  /** the person who accepted that this tree changes its own checks */
  readonly approvedBy?: string | null;
  /** the commit that this one undoes */
  readonly undoes?: string | null;
  /** the number of a try that was not chosen */
  readonly otherTry?: number;
  /** The id credits the account even after a rename. */
  readonly requester: {readonly login: string; readonly id: number} | null;
}

const SUBJECT_CHARS = 72;
const MAX_READ = 2_000;
const FALLBACK = "Make the requested change";
/** Managed users have `_` in theirs: docs.github.com, "Username considerations for external authentication". */
const LOGIN = "[\\w-]+(?:\\[bot\\])?";

const SKIP_WORDS =
  /[[(]? ?\b(?:skip[ _-]?ci|ci[ _-]?skip|no[ _-]?ci|skip[ _-]?actions|actions[ _-]?skip|skip[ _-]?checks(?: ?: ?true)?)\b ?[\])]?|\*\*\*NO_CI\*\*\*/giu;

/** The message ends with a line break. */
export function commitMessage(facts: CommitFacts): string {
  const {requester} = facts;
  const body = facts.issue === null ? [] : [`Requested in issue ${facts.issue}.`, ""];
  const trailers = [
    `${facts.verified ? "Assay-Verified-Tree" : "Assay-Unverified-Tree"}: ${facts.tree}`,
    `Assay-Base: ${facts.base}`,
    `Assay-Run: ${facts.run.replaceAll(/[^\w.:/-]/g, "")}`,
  ];
  if (facts.approvedBy) trailers.push(`Assay-Gate-Change-Approved-By: ${facts.approvedBy.replaceAll(/[^\w-]/g, "")}`);
  if (facts.undoes) trailers.push(`Assay-Undoes: ${facts.undoes}`);
  if (facts.otherTry !== undefined) trailers.push(`Assay-Try: ${facts.otherTry}`);
  if (requester !== null && new RegExp(`^${LOGIN}$`).test(requester.login)) {
    const {login, id} = requester;
    trailers.push(`Co-authored-by: ${login} <${id}+${login}@users.noreply.github.com>`);
  }
  return [commitSubject(facts.request), "", ...body, ...trailers, ""].join("\n");
}

/** The claims of a commit in the trailers of `commitMessage`. Anyone can write them. */
export interface CommitTrailers {
  readonly run: string;
  readonly base: string;
  readonly tree: string;
  readonly isVerified: boolean;
  readonly issue: number | null;
  /** the commit that it undoes */
  readonly undoes: string | null;
}

/** Reads a message of `commitMessage`; null for any other message. */
export function readTrailers(message: string): CommitTrailers | null {
  const paragraphs = message.trimEnd().split("\n\n");
  const trailers = paragraphs.at(-1) ?? "";
  const idOf = (name: string) => new RegExp(`^${name}: ([0-9a-f]{40,64})$`, "m").exec(trailers)?.[1] ?? null;
  const run = /^Assay-Run: ([\w.:/-]{1,100})$/m.exec(trailers)?.[1];
  const [base, tree] = [idOf("Assay-Base"), idOf("Assay-(?:Verified|Unverified)-Tree")];
  if (run === undefined || base === null || tree === null) return null;
  const issue = /^Requested in issue (\d{1,9})\.$/.exec(paragraphs.at(-2) ?? "")?.[1];
  const isVerified = idOf("Assay-Verified-Tree") !== null;
  return {
    ...{run, base, tree, isVerified},
    issue: issue === undefined ? null : Number(issue),
    undoes: idOf("Assay-Undoes"),
  };
}

/** The person who asked for the work, from the trailer of `commitMessage`; null if there is none. */
export function requesterOf(message: string): {login: string; id: number} | null {
  const trailers = message.trimEnd().split("\n\n").at(-1) ?? "";
  const trailer = new RegExp(`^Co-authored-by: (${LOGIN}) <(\\d+)\\+${LOGIN}@users\\.noreply\\.github\\.com>$`, "m");
  const [, login, id] = trailer.exec(trailers) ?? [];
  return login === undefined ? null : {login, id: Number(id)};
}

/** True for a message with the trailer of `commitMessage`. Anyone can write one, so check the commit's ref, too. */
export function hasRunTrailer(message: string): boolean {
  const trailers = message.trimEnd().split("\n\n").at(-1) ?? "";
  return /^Assay-Run: [\w.:/-]+$/m.test(trailers);
}

/** True for the commit of a try that was not chosen. */
export const isOtherTry = (message: string): boolean =>
  /^Assay-Try: \d+$/m.test(message.trimEnd().split("\n\n").at(-1) ?? "");

/**
 * One line of at most 72 characters without effects: no control or invisible characters, no mention, no issue that
 * GitHub would close, no trailer, no word that makes CI skip. The skip words are GitHub's (docs.github.com, "Skipping
 * workflow runs") and those of other services.
 */
export function commitSubject(request: string): string {
  const line = request
    .slice(0, MAX_READ)
    .normalize("NFC")
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((text) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "").trim())
    .find((text) => text !== "");
  let subject = line ?? "";
  // A removal can join its neighbors into a new match, so this repeats until nothing changes; each round shortens the
  // text.
  for (let previous = ""; previous !== subject; ) {
    previous = subject;
    subject = removeEffects(subject);
  }
  const characters = [...subject];
  if (characters.length === 0) return FALLBACK;
  const isLong = characters.length > SUBJECT_CHARS;
  const start = characters.slice(0, SUBJECT_CHARS - 1).join("");
  const limited = isLong ? `${start.trimEnd()}…` : subject;
  return limited.charAt(0).toUpperCase() + limited.slice(1);
}

function removeEffects(line: string): string {
  return (
    line
      .replaceAll(/\s+/g, " ")
      .replaceAll(SKIP_WORDS, "")
      .replaceAll(/(?<!\w)@(?=[\w-])/g, "")
      .replaceAll(/#(?=\d)/g, "")
      .replaceAll(/\bGH-(?=\d)/gi, "")
      .replaceAll(/https?:\/\/\S+/g, "")
      // git may read "Key: value" in the first line as a trailer
      .replace(/^([\w-]+-by|Assay-[\w-]+)\s?:/i, "$1")
      .replace(/^[\s#>*`\-:]+/, "")
      .trim()
  );
}
