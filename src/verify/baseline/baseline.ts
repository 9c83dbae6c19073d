/** The same stages on the base commit: run while the agent thinks, or when a failure asks for it, and compared with the candidate's (P15). */

import {compareWithBase, fixedFailures} from "../../diagnostics/compare.ts";
import {narrowLog} from "../../diagnostics/narrow-log.ts";
import type {BaselineComparison, StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import {withScripts} from "../../shell/append-arguments.ts";
import {scriptsAt} from "../commands/scripts.ts";
import {prerequisitesOf} from "../schedule/order.ts";
import {EXCERPT_CHARS, wholeText} from "../stage/stage.ts";
import {type BaseOptions, openBaseStages} from "./base-stages.ts";
import {openWarmUp} from "./warm-up.ts";

export interface Baseline {
  /**
   * Goes on with the base's stages at low priority, for as long as nothing else is verified. Ends when there is nothing left
   * to do, or with `pause`; never rejects.
   */
  begin(): Promise<void>;
  /** Ends what `begin` started, before the candidate's stages run: they may use the same ports. */
  pause(): Promise<void>;
  /** Gives the result with its comparison. Runs the stage on the base first when a failure needs that. Never rejects. */
  compare(stage: Stage, result: StageResult): Promise<StageResult>;
  /** What the stage gives on the base, where it runs first if it has not; null where the base cannot be had. Never rejects. */
  onBase(stage: Stage): Promise<StageResult | null>;
  /** Runs another command in the stage's place on the base; null where the base cannot be had. Never rejects. */
  again(stage: Stage, command: string): Promise<StageResult | null>;
  /** Milliseconds that the stage took on the base; null where it has not run there. */
  tookMs(stage: Stage): number | null;
}

export function openBaseline(options: BaseOptions): Baseline {
  const {plan} = options;
  const stages = openBaseStages(options);
  const rehearse = openWarmUp(stages, options);
  let background = new AbortController();

  async function pause(): Promise<void> {
    background.abort();
    // What had begun ends first.
    await stages.inTurn(async () => undefined);
  }

  async function resultOf(stage: Stage): Promise<StageResult | string> {
    if (stages.find(stage) === null) {
      const opened = await stages.open();
      if (typeof opened === "string") return opened;
      await stages.run(stage, opened);
    }
    return stages.known(stage) ?? "it was not run there";
  }

  return {
    async begin() {
      background = new AbortController();
      await rehearse(AbortSignal.any([background.signal, options.signal])).catch(() => null);
    },
    pause,
    async compare(stage, result) {
      if (result.outcome === "passed") {
        const before = stages.known(stage);
        return before === null ? result : {...result, baseline: fixedFailures(before)};
      }
      const isCompared = result.failureKind === "code" || result.failureKind === "timeout";
      if (!isCompared || options.signal.aborted) return result;
      await pause();
      const base = await stages.inTurn(() => resultOf(stage));
      const {repository, base: commit} = options;
      const scripts = await scriptsAt({repository, commit, cwd: stage.cwd});
      return withComparison({result, base, stage, line: withScripts(stage.command, scripts)});
    },
    async onBase(stage) {
      await pause();
      const result = await stages.inTurn(() => resultOf(stage));
      return typeof result === "string" ? null : result;
    },
    async again(stage, command) {
      await pause();
      return stages.inTurn(async () => {
        const opened = await stages.open();
        if (typeof opened === "string") return null;
        for (const one of prerequisitesOf(stage, plan)) if (!stages.hasRun(one)) await stages.run(one, opened);
        return stages.runOnly({...stage, command}, opened.surroundings);
      });
    },
    tookMs: (stage) => stages.known(stage)?.durationMs ?? null,
  };
}

function withComparison(o: {result: StageResult; base: StageResult | string; stage: Stage; line: string}): StageResult {
  const {result, base, stage, line} = o;
  const baseline: BaselineComparison =
    typeof base === "string"
      ? {outcome: "unknown", new: [], preexisting: [], fixed: 0, why: base}
      : compareWithBase({candidate: result, base, line, stopsEarly: stage.stopsEarly});
  if (baseline.outcome !== "new" || baseline.preexisting.length === 0 || result.output === null) {
    return {...result, baseline};
  }
  const log = wholeText(result.output);
  return {...result, baseline, excerpt: narrowLog({log, wanted: baseline.new, maxChars: EXCERPT_CHARS})};
}
