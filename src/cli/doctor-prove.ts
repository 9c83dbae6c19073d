/** `assay doctor --prove`: plants faults into scratch commits, and shows which checks notice them. */
import picocolors from "picocolors";
import {openBaseline} from "../engine/baseline/baseline.ts";
import {openCheckouts} from "../engine/checkout/checkout.ts";
import {failIfRewritten, rewrittenFiles} from "../engine/checkout/rewritten-files.ts";
import {chooseSandbox} from "../engine/isolation/choose-sandbox.ts";
import {runStage} from "../engine/stage/stage.ts";
import {showInvisible} from "../markdown/escape.ts";
import {gateFindings, gateTable} from "../onboarding/doctor/gate-proof.ts";
import {type DoctorDocument, exitCode, type Finding, findingLines} from "../onboarding/finding.ts";
import {proveGate} from "../proof/gate-proof/prove-gate.ts";
import type {StageResult} from "../record/evidence.ts";
import type {GateProof} from "../record/gate-proof.ts";
import {ok} from "../record/words.ts";
import {short} from "../report/format.ts";
import {verify} from "../verify/verify.ts";
import type {LocalSetup} from "./local-setup.ts";
import {onLastCommit, printable, type TrialRun} from "./on-last-commit.ts";
import {jsonText} from "./reporters/json-text.ts";
import {localMachine} from "./verify-locally.ts";

/** No other fault is planted after this time. */
const MAX_MS = 15 * 60_000;

/** As `assay doctor`, but exit 1 if nobody runs the tests of a language. */
export const doctorProveCommand = ({json = false}: {json?: boolean}): Promise<number> =>
  onLastCommit(async (setup, run) => {
    const {findings, proof, stages} = await prove(setup, run);
    const document: DoctorDocument = {
      ...{schema: "assay.doctor/1", findings},
      ...(proof && {proof}),
    };
    const table = proof === null ? "" : gateTable(proof.tried, stages);
    process.stdout.write(json ? jsonText(document) : visible(table + findingLines(findings)));
    if (run.signal.aborted) return 2;
    const isUnrun = proof?.languages.some(({state}) => state === "nobody") === true;
    return isUnrun ? 1 : exitCode(findings);
  });

/** Names of the repository cannot move the cursor. */
const visible = (text: string): string => printable(showInvisible(text));

interface Proved {
  readonly findings: Finding[];
  readonly proof: GateProof | null;
  readonly stages: readonly string[];
}

async function prove(setup: LocalSetup, options: TrialRun): Promise<Proved> {
  const {plan, repository, config, project, base} = setup;
  const problem = (about: string, text: string, next: string): Proved => ({
    findings: [{about, state: "missing", text, next}],
    ...{proof: null, stages: []},
  });
  const sandbox = await chooseSandbox({...config, folder: options.scratch, mayBeOpen: true});
  const {checkoutOptions, shared} = localMachine(setup, {...options, sandbox, onEvent: () => undefined});
  const checkouts = openCheckouts(checkoutOptions);
  const {signal} = options;
  const startMs = performance.now();
  progress(`the checks of ${short(base.commit)}, without a fault`);
  const opened = await checkouts.open({commit: base.commit, changes: []});
  if (!opened.ok) return problem("checkout", JSON.stringify(opened.failure), "run `assay verify`");
  if (!opened.value.isReady)
    return problem("set-up", "the set-up does not pass on the last commit", "run `assay verify`");
  const {environment, saveCaches} = opened.value;
  const onBase: StageResult[] = [];
  for (const stage of plan.stages) {
    const result = await runStage(stage, environment);
    const rewritten = await rewrittenFiles({repository, folder: environment.folder, commit: base.commit});
    onBase.push(failIfRewritten(result, rewritten));
    await saveCaches(stage, signal);
  }
  const baseline = openBaseline({
    ...{checkouts, repository, base: base.commit, plan, changes: [], signal},
    kept: {
      find: ({name}) => onBase.find((result) => result.name === name) ?? null,
      keep: () => undefined,
      save: async () => ok(null),
    },
  });
  const isolation = sandbox.level;
  const proof = await proveGate({
    ...{project, repository, plan, base: base.commit, onBase},
    isOver: () => signal.aborted || performance.now() - startMs > MAX_MS,
    onStart: ({kind, languages, path}) => progress(`${kind}: ${languages.join(", ")}: ${path}`),
    verify: ({candidate, changes, isInspected}) =>
      verify({
        ...{...shared, plan: withTimeLimits(plan, onBase), candidate, changes, checkouts, baseline, isolation, signal},
        ...{only: [], failFast: false, previous: null, mayRunAffectedFirst: false, spent: () => null},
        integrity: isInspected ? shared.integrity : null,
      }),
  });
  const failing = onBase.filter(({outcome}) => outcome !== "passed");
  return {
    findings: [
      ...failing.map(
        ({name, outcome, reason}): Finding => ({
          ...{about: name, state: "advice", text: `${outcome} without a fault: ${reason}`},
          next: "make it pass, because a check that always fails notices little",
        }),
      ),
      ...gateFindings(proof, {isConfigured: config.stages !== null, hasStages: plan.stages.length > 0}),
    ],
    proof,
    stages: plan.stages.map(({name}) => name),
  };
}

/** A fault may make a test hang. */
function withTimeLimits(plan: LocalSetup["plan"], onBase: readonly StageResult[]): LocalSetup["plan"] {
  const limitOf = (name: string) =>
    Math.max(30, ((onBase.find((one) => one.name === name)?.durationMs ?? Infinity) / 1000) * 5);
  return {
    ...plan,
    stages: plan.stages.map((stage) => ({...stage, timeout: Math.min(stage.timeout, limitOf(stage.name))})),
  };
}

const progress = (text: string): void => {
  process.stderr.write(picocolors.dim(visible(text)));
};
