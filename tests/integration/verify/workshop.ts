/** A real repository with a base and a candidate, and a real verification of it: no sandbox, no install. */
import {mkdir, mkdtemp, rm, writeFile} from "node:fs/promises";
import {homedir, tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {DEFAULT_CONFIG, type IntegrityRules} from "../../../src/detect/config/config.ts";
import {openBaseline} from "../../../src/engine/baseline/baseline.ts";
import {openCheckouts} from "../../../src/engine/checkout/checkout.ts";
import type {StageIsolation} from "../../../src/engine/isolation/choose-sandbox.ts";
import {type StageHome, stageHome} from "../../../src/engine/isolation/home.ts";
import type {Toolchain} from "../../../src/engine/toolchain.ts";
import {openRepository} from "../../../src/git/repository.ts";
import type {SetupStep, Stage} from "../../../src/record/plan.ts";
import type {Verification} from "../../../src/record/verification.ts";
import {verify} from "../../../src/verify/verify.ts";
import {git} from "../../rig/git.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";

type Files = Readonly<Record<string, string>>;

/** An empty folder, and nothing of this machine but its programs. */
export const PLAIN_HOME: StageHome = {
  variables: ({home, pathFirst, extra}) => ({
    ...extra,
    PATH: [...pathFirst, process.env["PATH"]].join(":"),
    HOME: home,
  }),
  populate: async (home) => void (await mkdir(home, {recursive: true})),
  moveDownloads: async () => undefined,
  saveDownloads: async () => undefined,
  sandbox: () => null,
};

const OPEN: StageIsolation = {
  ...{level: "degraded", network: "all", refusal: null},
  ...{confines: false, overlays: false, warning: null},
};

/** The caches and tools of this machine, as a verification without a sandbox sees them. */
export const realHome = (): StageHome =>
  stageHome({realHome: homedir(), variables: process.env, isolation: OPEN, private: []});

/** A stage of which only what matters is given. Programs are looked for in the checkout's `bin` first. */
export function stageOf(options: Pick<Stage, "name" | "kind" | "command"> & Partial<Stage>): Stage {
  return plannedStage({timeout: 60, path: ["bin"], ...options});
}

/** Each call of `look` commits `files` on top of the base and verifies that. `log` is a file that stages may write to. */
export async function openWorkshop(base: Files, {home = PLAIN_HOME}: {home?: StageHome} = {}) {
  const folder = await mkdtemp(join(tmpdir(), "assay-workshop-"));
  const origin = join(folder, "origin");
  await git(folder, ["init", "-q", "origin"]);
  const commit = async (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(origin, path)), {recursive: true});
      await writeFile(join(origin, path), text, {mode: path.startsWith("bin/") ? 0o755 : 0o644});
    }
    await git(origin, ["add", "-A"]);
    await git(origin, ["commit", "-q", "--allow-empty", "-m", "Some"]);
    const [id = "", tree = ""] = (await git(origin, ["rev-parse", "HEAD", "HEAD^{tree}"])).split("\n");
    return {commit: id, tree};
  };
  const first = await commit(base);
  const source = {kind: "local", folder: origin} as const;
  const opened = await openRepository({folder: join(folder, "git"), source, variables: process.env});
  if (!opened.ok) throw new Error("no repository");
  const repository = opened.value;
  await repository.fetch(first.commit);
  let count = 0;
  const open = async (options: {
    stages: readonly Stage[];
    files: Files;
    setup?: readonly SetupStep[];
    signal?: AbortSignal;
  }) => {
    await git(origin, ["checkout", "-q", first.commit]);
    const head = await commit(options.files);
    await repository.fetch(head.commit);
    const changes = await repository.changes(first.commit, head.commit);
    if (!changes.ok) throw new Error("no changes");
    const {signal = new AbortController().signal} = options;
    const plan = {...planWith(...options.stages), setup: [...(options.setup ?? [])]};
    const checkouts = openCheckouts({
      folder: join(folder, `checkouts-${++count}`),
      repository,
      base: first.commit,
      setup: plan.setup,
      dependencies: {kind: "install"},
      home,
      isolation: OPEN,
      signal,
      onEvent: () => undefined,
    });
    return {
      head,
      candidate: {...head, base: first.commit},
      changes: changes.value,
      signal,
      plan,
      checkouts,
      repository,
    };
  };
  return {
    folder,
    log: join(folder, "log"),
    /** Commits `files` on top of the base, and opens what a verification of that needs. The caller disposes of the checkouts. */
    open,
    async look(options: {
      stages: readonly Stage[];
      files: Files;
      setup?: readonly SetupStep[];
      failFast?: boolean;
      before?: Verification | null;
      withBaseline?: boolean;
      /** the agent thinks for as long as the base has something to do */
      isIdle?: boolean;
      mayLookFirst?: boolean;
      /** what takes longer is left to another machine */
      mostSeconds?: number;
      toolchain?: Toolchain;
      integrity?: IntegrityRules;
      signal?: AbortSignal;
    }): Promise<Verification> {
      const {head, changes, signal, plan, checkouts} = await open(options);
      const shared = {repository, plan, signal};
      const baseline =
        options.withBaseline === true
          ? openBaseline({...shared, checkouts, base: first.commit, changes: [], kept: null})
          : null;
      if (options.isIdle === true) await baseline?.begin();
      await baseline?.pause();
      const verification = await verify({
        ...shared,
        ...{checkouts, baseline, changes, candidate: {...head, base: first.commit}},
        ...{
          isolation: "degraded",
          only: [],
          flaky: [],
          failFast: options.failFast ?? false,
          previous: options.before ?? null,
        },
        mostSeconds: options.mostSeconds,
        mayRunAffectedFirst: options.mayLookFirst ?? false,
        toolchain: options.toolchain ?? null,
        integrity: options.integrity ?? null,
        coverageRules: {...DEFAULT_CONFIG, wholePlan: plan},
        spent: () => null,
        onEvent: () => undefined,
      });
      await baseline?.pause();
      await checkouts.dispose();
      return verification;
    },
    [Symbol.asyncDispose]: () => rm(folder, {recursive: true, force: true, maxRetries: 3}),
  };
}
