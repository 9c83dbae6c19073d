/** What earlier runs saw on the same base: kept on a ref of Assay's own, and used only where nothing has changed since. */
import {createHash} from "node:crypto";
import {realpathSync, statSync} from "node:fs";
import {z} from "zod";
import {hiddenRef, parseForeign, type RefFiles, refCommits, saveOnRef} from "../../git/hidden-ref.ts";
import type {Repository} from "../../git/repository.ts";
import {findProgram} from "../../process/isolation.ts";
import {NO_OUTPUT} from "../../process/output.ts";
import {type StageResult, stageResultSchema} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {ok, type Result} from "../../record/words.ts";
import {prerequisitesOf} from "../schedule/order.ts";

/**
 * Read from the server and never from the agent's folder. Who can push to the repository can write it, and no agent can: what
 * it says can excuse a failure, and never make a pass. What a stage printed may hold a secret, so all of it is redacted first.
 */
export const BASELINE_REF = hiddenRef("baseline");
const FILE = "baseline.json";
const MAX_BYTES = 8 * 1024 * 1024;
/** So many of these fit. */
const MAX_ENTRY_BYTES = 256 * 1024;
const MOST_ENTRIES = 30;
/** A base without a lock file gets newer dependencies with time. */
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;

const entrySchema = z.object({
  key: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  result: stageResultSchema,
});
type Entry = z.infer<typeof entrySchema>;

/** Results of a base's stages, from one run to the next. */
export interface KeptBaseline {
  /** The result of this stage in an earlier run, null where there is none. */
  find(stage: Stage): StageResult | null;
  /** Remembers what this run saw. */
  keep(stage: Stage, result: StageResult): void;
  /** Puts what is new on the ref, next to what others have put there. Gives the commit, null where nothing was new. */
  save(): Promise<Result<string | null, Failure>>;
}

/** What the server has of earlier runs, and the base's tree; empty where it cannot be read. */
export interface EarlierBaselines {
  readonly tree: string;
  readonly entries: readonly Entry[];
}

/** Asks the server. Called before anything of the repository runs: git has the token in its environment meanwhile. */
export async function readEarlierBaselines(o: {
  readonly repository: Repository;
  readonly base: string;
  readonly now: () => string;
  readonly signal: AbortSignal;
}): Promise<EarlierBaselines> {
  const {repository, signal} = o;
  const tree = await repository.git(["rev-parse", "--verify", `${o.base}^{tree}`]);
  const tips = tree.ok ? await refCommits(repository, BASELINE_REF) : null;
  const tip = tips?.ok ? (tips.value.hidden ?? tips.value.branch) : null;
  const fetched = tip === null ? null : await repository.fetch(tip, {signal});
  const entries = fetched?.ok ? await entriesAt({...o, commit: fetched.value.commit}) : [];
  return {tree: tree.ok ? tree.value.trim() : "", entries};
}

async function entriesAt(o: {repository: Repository; commit: string; now: () => string}): Promise<Entry[]> {
  const text = await o.repository.readText(o.commit, FILE, {maxBytes: MAX_BYTES});
  const list = z.array(z.unknown()).safeParse(text.ok ? parseForeign(text.value ?? "") : null);
  const entries = (list.data ?? []).flatMap((one) => entrySchema.safeParse(one).data ?? []);
  const oldest = Date.parse(o.now()) - MAX_AGE_MS;
  return entries.filter(({at}) => Date.parse(at) >= oldest);
}

export function openKeptBaseline(o: {
  readonly repository: Repository;
  readonly plan: Plan;
  readonly earlier: EarlierBaselines;
  /** what else a result depends on: versions of tools, the fence, the system */
  readonly circumstances: readonly string[];
  readonly redact: (text: string) => string;
  /** the time now, as ISO 8601 */
  readonly now: () => string;
}): KeptBaseline {
  const {repository, plan} = o;
  const {tree, entries} = o.earlier;
  const fresh = new Map<string, Entry>();
  const keyOf = (stage: Stage): string => {
    const about = {tree, setup: plan.setup, stages: [...prerequisitesOf(stage, plan), stage], given: o.circumstances};
    return createHash("sha256").update(JSON.stringify(about)).digest("hex");
  };
  async function filesOn(tip: string | null): Promise<RefFiles> {
    const theirs = tip === null ? [] : await entriesAt({...o, commit: tip});
    const entries = [...fresh.values(), ...theirs.filter(({key}) => !fresh.has(key))];
    const newest = entries.toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, MOST_ENTRIES);
    return {[FILE]: `[\n${newest.map((entry) => JSON.stringify(entry)).join(",\n")}\n]\n`};
  }
  return {
    find(stage) {
      if (tree === "") return null;
      const key = keyOf(stage);
      return entries.findLast((entry) => entry.key === key)?.result ?? null;
    },
    keep(stage, result) {
      const seen = redacted(result, o.redact);
      if (tree === "" || seen === null) return;
      const key = keyOf(stage);
      fresh.set(key, {key, at: o.now(), result: seen});
    },
    async save() {
      if (fresh.size === 0) return ok(null);
      return saveOnRef({
        repository,
        to: BASELINE_REF,
        message: "Keep what the base's stages gave",
        files: filesOn,
      });
    },
  };
}

/** Without the log, which goes with this runner. Null for what is too large, or is no result any more without its secrets. */
function redacted(result: StageResult, redact: (text: string) => string): StageResult | null {
  const {head, tail, droppedBytes} = result.output ?? NO_OUTPUT;
  const lean = {...result, output: result.outcome === "passed" ? null : {head, tail, droppedBytes}};
  const text = JSON.stringify(lean, (_, value: unknown) => (typeof value === "string" ? redact(value) : value));
  if (Buffer.byteLength(text) > MAX_ENTRY_BYTES) return null;
  return stageResultSchema.safeParse(JSON.parse(text)).data ?? null;
}

/** The runner images of GitHub name their versions in these. */
const IMAGE = ["ImageOS", "ImageVersion"] as const;

/**
 * Tells one set of installed programs from another without starting any: the system, the runner's image, and where each
 * tool of the plan really lies, how large it is and of when. Other programs change with the image.
 */
export function toolVersions(o: {
  readonly plan: Plan;
  readonly variables: Readonly<Record<string, string | undefined>>;
}): string[] {
  const {plan, variables} = o;
  const path = variables["PATH"] ?? "";
  const names = new Set([...plan.setup, ...plan.stages].flatMap(({tools}) => tools.map(({name}) => name)));
  const programs = [...names].sort().map((name) => {
    const program = findProgram(name, {cwd: "/", path});
    if (program === null) return `${name}: not installed`;
    const {size, mtimeMs} = statSync(program);
    return `${name}: ${realpathSync(program)} ${size} ${mtimeMs}`;
  });
  return [process.platform, process.arch, ...IMAGE.map((name) => variables[name] ?? ""), ...programs];
}
