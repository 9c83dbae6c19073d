/** Saves results of the base's stages on a hidden ref, and reuses them while the base and the tools are unchanged. */

import {createHash} from "node:crypto";
import {readdirSync, readFileSync, realpathSync, statSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {hiddenRef, type RefFiles, refCommits, saveOnRef} from "../../git/hidden-ref.ts";
import type {Repository} from "../../git/repository.ts";
import {findProgram} from "../../process/isolation.ts";
import {NO_OUTPUT} from "../../process/output.ts";
import {type StageResult, stageResultSchema} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import {parseJson} from "../../record/parse-json.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {ok, type Result} from "../../record/words.ts";
import {prerequisitesOf} from "../schedule/order.ts";

/**
 * Read from the server and never from the agent's workspace. Users who can push to the repository can write it, but no
 * agent can. It can excuse a failure, and never cause a pass. Output may contain secrets, so it is redacted first.
 */
const BASELINE_REF = hiddenRef("baseline");
const FILE = "baseline.json";
const MAX_BYTES = 8 * 1024 * 1024;
/** A larger result is not saved, so that `MAX_ENTRIES` fit into the file. */
const MAX_ENTRY_BYTES = 256 * 1024;
const MAX_ENTRIES = 30;
/** A base without a lock file gets newer dependencies over time. */
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;

const entrySchema = z.object({
  key: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  result: stageResultSchema,
});
type Entry = z.infer<typeof entrySchema>;

/** Saved results of a base's stages. */
export interface KeptBaseline {
  /** The result of this stage in an earlier run; null if there is none. */
  find(stage: Stage): StageResult | null;
  /** Adds a result of this run. */
  keep(stage: Stage, result: StageResult): void;
  /** Adds the new results to those on the ref. Returns the commit, or null if nothing is new. */
  save(): Promise<Result<string | null, Failure>>;
}

/** Results of earlier runs from the server, and the base's tree; empty if they cannot be read. */
export interface EarlierBaselines {
  readonly tree: string;
  readonly entries: readonly Entry[];
}

/**
 * Queries the server. Must be called before code of the repository runs, because git's environment contains the token.
 */
export async function readEarlierBaselines(options: {
  readonly repository: Repository;
  readonly base: string;
  readonly now: () => string;
  readonly signal: AbortSignal;
}): Promise<EarlierBaselines> {
  const {repository, signal} = options;
  const tree = await repository.git(["rev-parse", "--verify", `${options.base}^{tree}`]);
  const tips = tree.ok ? await refCommits(repository, BASELINE_REF) : null;
  const tip = tips?.ok ? (tips.value.hidden ?? tips.value.branch) : null;
  const fetchResult = tip === null ? null : await repository.fetch(tip, {signal});
  const entries = fetchResult?.ok ? await entriesAt({...options, commit: fetchResult.value.commit}) : [];
  return {tree: tree.ok ? tree.value.trim() : "", entries};
}

async function entriesAt(options: {repository: Repository; commit: string; now: () => string}): Promise<Entry[]> {
  const text = await options.repository.readText(options.commit, FILE, {maxBytes: MAX_BYTES});
  const list = z.array(z.unknown()).safeParse(text.ok ? parseJson(text.value ?? "") : null);
  const entries = (list.data ?? []).flatMap((one) => entrySchema.safeParse(one).data ?? []);
  const oldest = Date.parse(options.now()) - MAX_AGE_MS;
  return entries.filter(({at}) => Date.parse(at) >= oldest);
}

export function openKeptBaseline(options: {
  readonly repository: Repository;
  readonly plan: Plan;
  readonly earlier: EarlierBaselines;
  /** other inputs of a result: versions of tools, the isolation, the system */
  readonly circumstances: readonly string[];
  readonly redact: (text: string) => string;
  /** the time now, as ISO 8601 */
  readonly now: () => string;
}): KeptBaseline {
  const {repository, plan} = options;
  const {tree, entries} = options.earlier;
  const newEntries = new Map<string, Entry>();
  const keyOf = (stage: Stage): string => {
    const keyFields = {
      tree,
      setup: plan.setup,
      stages: [...prerequisitesOf(stage, plan), stage],
      given: options.circumstances,
    };
    return createHash("sha256").update(JSON.stringify(keyFields)).digest("hex");
  };
  async function filesOn(tip: string | null): Promise<RefFiles> {
    const remoteEntries = tip === null ? [] : await entriesAt({...options, commit: tip});
    const entries = [...newEntries.values(), ...remoteEntries.filter(({key}) => !newEntries.has(key))];
    const newest = entries.toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, MAX_ENTRIES);
    return {[FILE]: `[\n${newest.map((entry) => JSON.stringify(entry)).join(",\n")}\n]\n`};
  }
  return {
    find(stage) {
      if (tree === "") return null;
      const key = keyOf(stage);
      return entries.findLast((entry) => entry.key === key)?.result ?? null;
    },
    keep(stage, result) {
      const redactedResult = redactResult(result, options.redact);
      if (tree === "" || redactedResult === null) return;
      const key = keyOf(stage);
      newEntries.set(key, {key, at: options.now(), result: redactedResult});
    },
    async save() {
      if (newEntries.size === 0) return ok(null);
      return saveOnRef({
        repository,
        to: BASELINE_REF,
        message: "Save the results of the base's stages",
        files: filesOn,
      });
    },
  };
}

/** Removes the log, which only this runner has. Null if the result is too large, or invalid after redaction. */
function redactResult(result: StageResult, redact: (text: string) => string): StageResult | null {
  const {head, tail, droppedBytes} = result.output ?? NO_OUTPUT;
  const reducedResult = {...result, output: result.outcome === "passed" ? null : {head, tail, droppedBytes}};
  const text = JSON.stringify(reducedResult, (_, value: unknown) =>
    typeof value === "string" ? redact(value) : value,
  );
  if (Buffer.byteLength(text) > MAX_ENTRY_BYTES) return null;
  return stageResultSchema.safeParse(JSON.parse(text)).data ?? null;
}

/** GitHub's runner images set these variables. */
const IMAGE = ["ImageOS", "ImageVersion"] as const;

/**
 * Identifies Assay's own code, which reads the outputs, and the installed programs without starting any: the system,
 * the runner's image, and each tool's real path, size and time. Other programs change with the image.
 */
export function toolVersions({
  plan,
  variables,
  ownFolder = import.meta.dirname,
}: {
  readonly plan: Plan;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** the folder of the bundle's parts */
  readonly ownFolder?: string;
}): string[] {
  const path = variables["PATH"] ?? "";
  const names = new Set([...plan.setup, ...plan.stages].flatMap(({tools}) => tools.map(({name}) => name)));
  const programs = [...names].sort().map((name) => {
    const program = findProgram(name, {cwd: "/", path});
    if (program === null) return `${name}: not installed`;
    const {size, mtimeMs} = statSync(program);
    return `${name}: ${realpathSync(program)} ${size} ${mtimeMs}`;
  });
  const ownCode = createHash("sha256");
  for (const name of readdirSync(ownFolder).sort()) ownCode.update(readFileSync(join(ownFolder, name)));
  const system = [process.platform, process.arch, ...IMAGE.map((name) => variables[name] ?? "")];
  return [ownCode.digest("hex"), ...system, ...programs];
}
