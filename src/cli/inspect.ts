/** `assay inspect`: integrity findings between two commits. Reads git objects only and runs nothing. */
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {stripVTControlCharacters} from "node:util";
import {MAX_CONFIG_BYTES, readConfig} from "../detect/config/read-config.ts";
import {openRepository} from "../git/repository.ts";
import {inspectChange} from "../integrity/inspect.ts";
import {readChange} from "../integrity/read-change.ts";
import type {Failure} from "../record/failure.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {VERSION} from "../run/version.ts";
import {printFailure} from "./error-text.ts";
import {bareRepository, gitTop} from "./git-top.ts";
import type {WrongArgument} from "./local-setup.ts";

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
}

/** Exit 0 without blocking findings, 1 with some, 2 if git fails, 3 for wrong arguments or a mistake in verify.json. */
export async function inspectCommand(options: InspectCommandOptions): Promise<number> {
  const scratch = await mkdtemp(join(tmpdir(), "assay-"));
  try {
    const inspection = await inspectCommits({...options, cwd: process.cwd(), folder: join(scratch, "git")});
    if (!inspection.ok) return printFailure(inspection.failure);
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
  const {folder, cwd: _, ...names} = options;
  const repositoryResult = await openRepository({
    folder,
    source: {kind: "local", folder: source},
    variables: process.env,
  });
  if (!repositoryResult.ok) return repositoryResult;
  const repository = repositoryResult.value;
  const [base, head] = [await repository.fetch(names.base), await repository.fetch(names.head)];
  if (!base.ok) return wrongArgument(`--base: ${messageOf(base.failure)}. Name a branch, a tag or a commit.`);
  if (!head.ok) return wrongArgument(`--head: ${messageOf(head.failure)}. Name a branch, a tag or a commit.`);
  const readText = (path: string) => repository.readText(base.value.commit, path, {maxBytes: MAX_CONFIG_BYTES});
  const config = await readConfig(readText);
  if (!config.ok) return config;
  const commits = {base: base.value.commit, head: head.value.commit};
  const change = await readChange({repository, ...commits, plan: null});
  if (!change.ok) return change;
  return ok({...commits, findings: inspectChange(change.value, config.value.integrity)});
}

async function render(inspection: Inspection, options: InspectCommandOptions): Promise<string> {
  if (options.sarif === true) {
    const {toSarif} = await import("../integrity/sarif.ts");
    return `${JSON.stringify(toSarif(inspection.findings, VERSION), null, 2)}\n`;
  }
  if (options.json === true) return `${JSON.stringify({schema: "assay.inspect/1", ...inspection}, null, 2)}\n`;
  if (inspection.findings.length === 0) return "No findings.\n";
  return inspection.findings.map((finding) => `${describe(finding)}\n`).join("");
}

/** Names in a finding come from the repository, so they must not move the cursor or look like an order. */
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
