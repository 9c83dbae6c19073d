/** `assay inspect`: integrity findings between two commits. Reads git objects only and runs nothing. */

import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {stripVTControlCharacters} from "node:util";
import type {Config} from "../detect/config/config.ts";
import {integrityNotes} from "../detect/config/config-notes.ts";
import {MAX_CONFIG_BYTES, readConfig} from "../detect/config/read-config.ts";
import type {Git} from "../git/git.ts";
import {openLocalObjects} from "../git/local-objects.ts";
import {readText} from "../git/read-text.ts";
import type {TreeRow} from "../integrity/read-change.ts";
import type {Failure} from "../record/failure.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {VERSION} from "../run/version.ts";
import {extendedFile} from "./extended-file.ts";
import {bareRepository, gitTop, revisionHint} from "./git-top.ts";
import type {WrongArgument} from "./local-setup.ts";
import {jsonText} from "./reporters/json-text.ts";
import {useTerminalPrograms} from "./terminal-programs.ts";

interface InspectCommandOptions {
  base: string;
  head: string;
  json?: boolean;
  sarif?: boolean;
}

interface Inspection {
  readonly base: string;
  readonly head: string;
  readonly findings: readonly IntegrityFinding[];
  /** for people only */
  readonly notes: readonly string[];
}

/** Exit 0 without blocking findings, 1 with some, 2 if git fails, 3 for wrong arguments or a mistake in verify.json. */
export async function inspectCommand(options: InspectCommandOptions): Promise<number> {
  useTerminalPrograms();
  const scratch = await mkdtemp(join(tmpdir(), "assay-"));
  try {
    const inspection = await inspectCommits({...options, cwd: process.cwd(), folder: join(scratch, "git")});
    if (!inspection.ok) return (await import("./error-text.ts")).printFailure(inspection.failure);
    const {findings} = inspection.value;
    process.stdout.write(await render(inspection.value, options));
    return findings.some(({level}) => level === "block") ? 1 : 0;
  } finally {
    await rm(scratch, {recursive: true, force: true});
  }
}

async function inspectCommits(options: {
  base: string;
  head: string;
  cwd: string;
  folder: string;
}): Promise<Result<Inspection, Failure | WrongArgument>> {
  const source = gitTop(options.cwd) ?? bareRepository(options.cwd);
  if (source === null) return wrongArgument("not a git repository. Change to a repository.");
  // Loads the checks in parallel with the git commands.
  const [commits, {readChange, listTree}, {inspectChange}, {loadParsers}] = await Promise.all([
    openCommits({...options, source}),
    import("../integrity/read-change.ts"),
    import("../integrity/inspect.ts"),
    import("../integrity/load-parsers.ts"),
  ]);
  if (!commits.ok) return commits;
  const {git, base, head} = commits.value;
  const tree = listTree(git, base);
  const [config, change] = await Promise.all([
    tree.then((rows) => (rows.ok ? configAt(git, base, rows.value) : rows)),
    readChange({repository: {git}, base, head, plan: null, tree}),
  ]);
  if (!config.ok) return config;
  if (!change.ok) return change;
  await loadParsers(change.value);
  const findings = inspectChange(change.value, config.value.integrity);
  return ok({base, head, findings, notes: notesOn({base, head}, config.value)});
}

interface CommitPair {
  readonly git: Git;
  readonly base: string;
  readonly head: string;
}

async function openCommits(names: {
  base: string;
  head: string;
  source: string;
  folder: string;
}): Promise<Result<CommitPair, Failure | WrongArgument>> {
  const {source, folder} = names;
  const revisions = [names.base, names.head];
  const objects = await openLocalObjects({folder, source, revisions, variables: process.env});
  const [baseId, headId] = objects?.commits ?? [];
  if (objects && baseId !== undefined && headId !== undefined)
    return ok({git: objects.git, base: baseId, head: headId});
  const {openRepository} = await import("../git/repository.ts");
  const openedRepository = await openRepository({
    folder,
    source: {kind: "local", folder: source},
    variables: process.env,
  });
  if (!openedRepository.ok) return openedRepository;
  const [base, head] = [await openedRepository.value.fetch(names.base), await openedRepository.value.fetch(names.head)];
  if (!base.ok) return wrongArgument(`--base: ${messageOf(base.failure)}. ${revisionHint(source)}`);
  if (!head.ok) return wrongArgument(`--head: ${messageOf(head.failure)}. ${revisionHint(source)}`);
  return ok({git: openedRepository.value.git, base: base.value.commit, head: head.value.commit});
}

/** Why there can be nothing to find. */
function notesOn({base, head}: {readonly base: string; readonly head: string}, config: Config): string[] {
  const isSame = "Base and head are the same commit. `assay verify` also inspects changes that are not committed.";
  return [...(base === head ? [isSame] : []), ...integrityNotes(config).map(({text}) => text)];
}

/** Reads verify.json if the listing of the commit has it; most repositories have none. */
function configAt(git: Git, commit: string, tree: readonly TreeRow[]): Promise<Result<Config, Failure>> {
  return readConfig(
    async (file) =>
      tree.some(({path}) => path === file || path.startsWith(`${file}/`))
        ? readText({git, commit, path: file, maxBytes: MAX_CONFIG_BYTES})
        : ok(null),
    extendedFile,
  );
}

async function render(inspection: Inspection, options: InspectCommandOptions): Promise<string> {
  if (options.sarif === true) {
    const {toSarif} = await import("../integrity/sarif.ts");
    return jsonText(toSarif(inspection.findings, VERSION));
  }
  const {notes, ...document} = inspection;
  if (options.json === true) return jsonText({schema: "assay.inspect/1", ...document});
  const lines = inspection.findings.length === 0 ? ["No findings."] : inspection.findings.map(describe);
  return [...lines, ...notes].map((line) => `${line}\n`).join("");
}

/** Names in a finding come from the repository, so they must not move the cursor or start a command of the runner. */
function describe({level, check, path, line, message, fix}: IntegrityFinding): string {
  const place = line === null ? path : `${path}:${line}`;
  const text = `${level.padEnd(5)} ${place}  ${message} (${check})\n      ${fix}`;
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n]/gu, " ");
}

function wrongArgument(sentence: string): Result<never, WrongArgument> {
  return refused({kind: "wrong-argument", sentence: `error: ${sentence}`});
}

function messageOf(failure: Failure): string {
  return failure.kind === "git-refused" ? failure.message : failure.kind;
}
