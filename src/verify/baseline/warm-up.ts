/** What the base is used for while the agent thinks: its install, copies of that, its stages, and what they leave for candidates. */
import {rm} from "node:fs/promises";
import {join} from "node:path";
import type {Stage} from "../../record/plan.ts";
import {expandScripts} from "../commands/expand-scripts.ts";
import {incremental, isWorthBuildInfo} from "../commands/incremental.ts";
import {scriptsAt} from "../commands/scripts.ts";
import {prerequisitesOf} from "../schedule/order.ts";
import type {BaseCheckout, BaseOptions, BaseStages} from "./base-stages.ts";

/** A checkout for what shares one, one for the first look, and as many more as are likely to be in use on one machine. */
const MOST_SPARES = 6;

/**
 * Gives what is done at low priority until the signal ends it, or nothing is left to do; each call goes on where the one
 * before was cut off. It rejects where the machine does: what goes wrong here is met again, and said, when it is needed.
 */
export function openWarmUp(stages: BaseStages, options: BaseOptions): (signal: AbortSignal) => Promise<void> {
  const {plan, checkouts, repository, base} = options;
  /** stages whose notes have been taken, and judged */
  const noted = new Set<Stage>();

  /** Lets a type check leave its notes here, for first looks at candidates. Those that are not worth it go again. */
  async function takeNotes({stage, line, place}: {stage: Stage; line: string; place: BaseCheckout}): Promise<void> {
    const {signal, folder} = place.surroundings;
    const check = incremental({stage, line});
    const whole = stages.known(stage);
    if (check === null || whole === null || noted.has(stage) || prerequisitesOf(stage, plan).length > 0) return;
    const run = () => stages.runOnly({...stage, ...check.instead}, place.surroundings);
    const [first, second] = [await run(), await run()];
    if (!signal.aborted) noted.add(stage);
    if (!signal.aborted && isWorthBuildInfo({whole, first, second})) await place.keepCaches({stage, signal});
    else await rm(join(folder, check.notes), {force: true});
  }

  return async (signal) => {
    // Also where all results are known: the candidate needs the install that this begins.
    const opened = await stages.open();
    if (typeof opened === "string") return;
    const place = {...opened, surroundings: {...opened.surroundings, signal, isBackground: true}};
    const prepare = () => checkouts.prepare({upTo: Math.min(plan.stages.length + 2, MOST_SPARES), signal});
    await stages.inTurn(prepare);
    for (const stage of plan.stages) {
      if (signal.aborted) return;
      if (stages.hasRun(stage) || stages.find(stage) !== null) continue;
      await stages.inTurn(() => stages.run(stage, place));
    }
    const written = await expandScripts(plan.stages, (cwd) => scriptsAt({repository, commit: base, cwd}));
    for (const stage of plan.stages) {
      if (!signal.aborted) await stages.inTurn(() => takeNotes({stage, line: written(stage), place}));
    }
    await stages.inTurn(prepare);
  };
}
