/** Promises about trees and refs: what was pushed is what was verified, by the base's rules, and nothing is lost. */
import {existsSync, readdirSync} from "node:fs";
import {parse} from "jsonc-parser";
import {CONFIG_FILES} from "../../../src/detect/config/config.ts";
import type {Attempt} from "../../../src/record/attempt.ts";
import type {Failure} from "../../../src/record/failure.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import {git} from "../git.ts";
import {at, textAt} from "../json.ts";
import type {Origin} from "../origin.ts";
import {openReplay} from "./replay.ts";
import type {PromiseCheck, Seen} from "./seen.ts";

export const treeChecks: readonly PromiseCheck[] = [
  {id: "P1", broken: pushedIsVerified},
  {id: "P2", broken: verifiedOnCheckout},
  {id: "P3", broken: stagesLeaveTheTree},
  {id: "P4", broken: rulesOfTheBase},
  {id: "P5", broken: neverForced},
  {id: "P8", broken: nothingLost},
];

async function pushedIsVerified({outcome: {record, refsBefore}, origin}: Seen): Promise<string[]> {
  const publication = record?.publication;
  if (record === null || publication?.kind !== "published") return [];
  const last = record.attempts.at(-1);
  const candidate = last?.candidate;
  if (!candidate) return ["something was published, but there is no candidate"];
  const tip = await origin.resolve(publication.ref);
  if (tip === null) return [`${publication.ref} is not on the server`];
  if ((await origin.resolve(publication.commit)) === null) return [`${publication.commit} is not on the server`];
  const facts = await origin.facts(publication.commit);
  const found: string[] = [];
  const same = (what: string, one: string | undefined, other: string | undefined) => {
    if (one !== other) found.push(`${what}: ${one} is not ${other}`);
  };
  same("the branch's head", tip, publication.commit);
  same("the recorded tree", publication.tree, facts.tree);
  same("the pushed tree", facts.tree, candidate.tree);
  // `/update` merges the candidate's base into the branch, and everything else is one commit on that base.
  const before = record.request?.kind === "update" ? refsBefore[publication.ref] : undefined;
  const parents = before === undefined ? [candidate.base] : [before, candidate.base];
  same("the parents", facts.parents.join(" "), parents.join(" "));
  same("the recorded parents", [publication.parent, publication.merges].filter(Boolean).join(" "), parents.join(" "));
  const verified = record.verdict.kind === "verified" || record.verdict.kind === "verified-with-preexisting";
  if (verified) same("the verified tree", last?.verification?.candidate?.tree, facts.tree);
  const trailers = {
    [verified ? "Assay-Verified-Tree" : "Assay-Unverified-Tree"]: facts.tree,
    "Assay-Base": candidate.base,
    "Assay-Run": record.run.id,
  };
  for (const [name, value] of Object.entries(trailers))
    same(`the trailer ${name}`, trailer(facts.message, name), value);
  const claimed = trailer(facts.message, "Assay-Verified-Tree");
  if (!verified && claimed !== undefined) found.push("the commit claims a verified tree, the record does not");
  return found;
}

/** Of the last paragraph only, where git looks for trailers. */
function trailer(message: string, name: string): string | undefined {
  const lines = (message.trimEnd().split("\n\n").at(-1) ?? "").split("\n");
  return lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
}

function verifiedOnCheckout({outcome: {record}}: Seen): string[] {
  if (record === null || record.thread === null) return [];
  return record.attempts.flatMap(({number, candidate, verification}) => {
    if (verification === null) return [];
    const found: string[] = [];
    if (verification.where !== "checkout") found.push(`attempt ${number} was verified ${verification.where}`);
    if (verification.candidate?.tree !== candidate?.tree) found.push(`attempt ${number} verified another tree`);
    // A stage of the rig's projects prints the tree that it finds itself in.
    for (const stage of verification.stages) {
      const text = `${stage.output?.head ?? ""}\n${stage.output?.tail ?? ""}`;
      for (const [, tree] of text.matchAll(/^rig: the tree is ([0-9a-f]{40})$/gm)) {
        if (tree !== candidate?.tree) found.push(`stage ${stage.name} ran on ${tree}, not on ${candidate?.tree}`);
      }
    }
    return found;
  });
}

/** Many worlds publish the same tree: the same commands do the same there, and each replay starts a dozen processes. */
const replays = new Map<string, string[]>();

/** Runs what passed on what was published, once more. What has to be installed first takes long, and is asked for with `mayInstall`. */
async function stagesLeaveTheTree({
  outcome: {record},
  origin,
  mayInstall = false,
  isHostile = false,
}: Seen): Promise<string[]> {
  const publication = record?.publication;
  const setup = record?.plan?.setup ?? [];
  if (record === null || publication?.kind !== "published" || publication.withWarning) return [];
  if (record.plan === null || (setup.length > 0 && !mayInstall)) return [];
  const passed = (record.attempts.at(-1)?.verification?.stages ?? []).filter(({outcome}) => outcome === "passed");
  if (passed.length === 0) return [];
  const tree = await origin.resolve(`${publication.commit}^{tree}`);
  const key = JSON.stringify([tree, setup, passed.map(({name, command, cwd}) => [name, command, cwd]), isHostile]);
  const replayed =
    replays.get(key) ?? (await replayStages({origin, commit: publication.commit, isHostile, setup, passed}));
  if (replayed !== null) replays.set(key, replayed);
  return replayed ?? [];
}

interface StageReplay {
  readonly origin: Origin;
  readonly commit: string;
  readonly isHostile: boolean;
  readonly setup: readonly {readonly command: string; readonly cwd: string}[];
  readonly passed: readonly {readonly name: string; readonly command: string; readonly cwd: string}[];
}

async function replayStages({origin, commit, isHostile, setup, passed}: StageReplay): Promise<string[] | null> {
  await using replay = await openReplay(origin, {commit, isHostile});
  if (replay === null) return null;
  const found: string[] = [];
  for (const {command, cwd} of setup) {
    const {code, text} = await replay.run(command, cwd);
    if (code !== 0)
      return [`nobody can say whether a stage rewrites: \`${command}\` ended with ${code}:\n${text.slice(-2000)}`];
  }
  for (const {name, command, cwd} of passed) {
    await replay.run(command, cwd);
    const changed = await git(replay.folder, ["status", "--porcelain", "--untracked-files=no"]);
    if (changed !== "") found.push(`stage ${name} passed, and rewrites what was published: ${changed.trim()}`);
    await git(replay.folder, ["checkout", "--quiet", "--force", "HEAD"]);
  }
  return found;
}

async function rulesOfTheBase({outcome: {record, refsBefore}, origin}: Seen): Promise<string[]> {
  if (record?.plan == null) return [];
  const {plan, rules} = record;
  if (rules === null) return ["there is a plan, but no commit that its rules come from"];
  const found: string[] = [];
  // every pull request of the rig asks to be merged into it
  if (rules.ref !== "refs/heads/main") found.push(`the rules come from ${rules.ref}, which nobody reviewed`);
  if (!Object.values(refsBefore).includes(rules.commit))
    found.push(`${rules.commit} was no branch's head before the run`);
  if (refsBefore[rules.ref] !== rules.commit) found.push(`the rules do not come from ${rules.ref} as it was`);
  const tree = await origin.tree(rules.commit);
  for (const {name, origin: source} of [...plan.stages, ...plan.setup.map((step) => ({...step, name: "setup"}))]) {
    if (!(source.file in tree)) found.push(`${name} comes from ${source.file}, which the base does not have`);
  }
  const file = CONFIG_FILES.find((path) => path in tree);
  const text = file === undefined ? null : await origin.read(rules.commit, file);
  const owned: unknown = text === null ? undefined : at(parse(text, [], {allowTrailingComma: true}), "stages");
  if (Array.isArray(owned) && !record.failures.some((failure) => failure.kind === "config-invalid")) {
    const wanted = owned.map((stage) => `${textAt(stage, "name")}: ${textAt(stage, "command")}`).join("\n");
    const planned = plan.stages.map((stage) => `${stage.name}: ${stage.command}`).join("\n");
    if (wanted !== planned) found.push(`the plan is not the base's:\n${planned}\ninstead of\n${wanted}`);
  }
  for (const result of record.attempts.flatMap((attempt) => attempt.verification?.stages ?? [])) {
    const stage = plan.stages.find(({name}) => name === result.name);
    // Assay itself compares the specs: that stage is in no plan, and starts no program.
    if (result.name === "spec drift" && result.exit === null && result.output === null) continue;
    if (stage?.command !== result.command)
      found.push(`stage ${result.name} ran \`${result.command}\`, which is not planned`);
    if (stage && stage.optional !== result.optional) found.push(`stage ${result.name} is not as optional as planned`);
  }
  return found;
}

/** Where GitHub makes a commit before it goes where it belongs: the run's own, which no run may leave behind. */
const SIGNING = /^refs\/heads\/assay\/signing\/[\w-]+$/;

/** A conversation, which is nobody's work: the newest replaces what was there. Earlier versions had the branches. */
const SESSION = /^refs\/(?:heads\/)?assay\/session\/issue-\d+$/;

async function neverForced({updates, origin, outcome}: Seen): Promise<string[]> {
  const left = Object.keys(outcome.refs).filter((ref) => SIGNING.test(ref));
  if (left.length > 0) return [`${left.join(", ")} was left behind`];
  const judged = updates.map(async ({ref, before, after}) => {
    if (before === null || (after !== null && SESSION.test(ref)) || (after === null && SIGNING.test(ref))) return [];
    if (after === null) return (await mayGo({origin, ref, commit: before})) ? [] : [`${ref} was deleted`];
    const args = ["merge-base", "--is-ancestor", before, after];
    const ahead = await git(origin.folder, args).then(
      () => true,
      () => false,
    );
    return ahead ? [] : [`${ref} was moved from ${before} to ${after}, which does not contain it`];
  });
  return (await Promise.all(judged)).flat();
}

async function nothingLost({outcome, origin}: Seen): Promise<string[]> {
  const {record, refs, refsBefore} = outcome;
  const gone = Object.keys(refsBefore).filter((ref) => !(ref in refs));
  const found: string[] = [];
  for (const ref of gone) {
    if (!(await mayGo({origin, ref, commit: refsBefore[ref] ?? ""}))) found.push(`${ref} is gone`);
  }
  if (record === null) {
    const changed = Object.keys(refs).filter((ref) => refs[ref] !== refsBefore[ref]);
    return [...found, ...changed.map((ref) => `${ref} was changed by a run without a record`)];
  }
  if (record.isDryRun) {
    const changed = Object.keys(refs).filter((ref) => refs[ref] !== refsBefore[ref]);
    return [...found, ...changed.map((ref) => `${ref} was changed by a dry run`)];
  }
  const last = record.attempts.findLast((attempt) => attempt.candidate !== null && attempt.changes.length > 0);
  // `/verify` has no turn: what it looks at is somebody's branch already
  if (!last?.candidate || isOfHead(record)) return found;
  const {publication} = record;
  if (publication.kind === "none") return [...found, `the work of attempt ${last.number} was put nowhere`];
  if (publication.kind === "parked-locally") {
    const kept =
      existsSync(publication.folder) && readdirSync(publication.folder).some((name) => name.endsWith(".bundle"));
    const told = record.failures.some(
      ({kind}) => kind === "push-refused" || kind === "push-lost" || kind === "git-refused",
    );
    if (!kept) found.push(`there is no bundle in ${publication.folder}`);
    if (!told) found.push("the work stayed on the runner, and no failure says why");
    return found;
  }
  if (!(publication.ref in refs)) found.push(`${publication.ref} is not on the server`);
  const kept = record.failures.flatMap((failure) => keptBack(failure));
  if (kept.length > 0) return [...found, ...(await allBut({origin, commit: publication.commit, last, paths: kept}))];
  if (!(await origin.reachable()).has(last.candidate.tree))
    found.push(`no ref reaches the tree ${last.candidate.tree}`);
  return found;
}

/** A branch of a former version may go once the hidden ref of the same name has all that it had; parked work, once it is old. */
async function mayGo(options: {origin: Origin; ref: string; commit: string}): Promise<boolean> {
  if (SESSION.test(options.ref)) return mayBeDeleted(options);
  if (options.ref !== "refs/heads/assay/baseline") return mayExpire(options);
  const hidden = options.ref.replace("refs/heads/", "refs/");
  return git(options.origin.folder, ["merge-base", "--is-ancestor", options.commit, hidden]).then(
    () => true,
    () => false,
  );
}

/** A conversation may go after 30 days, and at any age where everyone can read it. */
async function mayBeDeleted({origin, commit}: {origin: Origin; commit: string}): Promise<boolean> {
  const names = await git(origin.folder, ["ls-tree", "--name-only", commit]);
  const seconds = Number(await git(origin.folder, ["show", "--no-patch", "--format=%ct", commit]));
  return names.split("\n").includes("session.jsonl") || Date.now() / 1_000 - seconds > 30 * 86_400;
}

/** Parked work may go after 30 days, if it is as the bot left it. */
async function mayExpire(options: {origin: Origin; ref: string; commit: string}): Promise<boolean> {
  const shown = await git(options.origin.folder, ["show", "-s", "--format=%ct %ce%n%B", options.commit]);
  const [, seconds = "", email = ""] = /^(\d+) (\S+)$/m.exec(shown) ?? [];
  const days = (Date.now() / 1_000 - Number(seconds)) / 86_400;
  const isBots = email.endsWith("github-actions[bot]@users.noreply.github.com") && /^Assay-Run: /m.test(shown);
  return /^refs\/(?:heads\/)?assay\/parked\/issue-\d+(-\d+)?$/.test(options.ref) && isBots && days > 30;
}

/** Paths that must not leave the machine: with a secret, or not known to be without. */
function keptBack(failure: Failure): string[] {
  if (failure.kind === "secret-in-change") return failure.places.map(({path}) => path);
  return failure.kind === "could-not-search" ? [...failure.paths] : [];
}

/** These files must not be kept where others can read them; everything else must. */
async function allBut(options: {
  origin: Origin;
  commit: string;
  last: Attempt;
  paths: readonly string[];
}): Promise<string[]> {
  const kept = await options.origin.tree(options.commit);
  const base = await options.origin.tree(`${options.commit}^`);
  const named = new Set(options.paths);
  return options.last.changes.flatMap(({path, status}) => {
    if (named.has(path))
      return kept[path]?.object === base[path]?.object ? [] : [`${path} is to be kept back, and is pushed`];
    return path in kept === (status !== "deleted") ? [] : [`${path} is not kept`];
  });
}

/** These have no work of their own: what they verify is on the server. */
const isOfHead = ({request}: RunRecord): boolean => request?.kind === "verify" || request?.kind === "review";
