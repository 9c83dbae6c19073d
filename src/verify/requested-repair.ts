/** Withdraws the claim `verified` if the request is to repair a check that still fails. */
import type {StageResult} from "../record/evidence.ts";
import {isPreExisting} from "../record/failure-cause.ts";
import type {Plan} from "../record/plan.ts";
import type {Verdict} from "../record/verification.ts";
import {isVerified} from "../record/words.ts";
import {asksToRepair, type RequestTexts} from "../request/requested-repair.ts";
import {lastTitlePart} from "./gate-runs/lost-tests.ts";

/** Adjusts the verdict if the request is a repair. Optional stages count, too, if the request names them. */
export function withRequest(
  verdict: Verdict,
  {stages, plan, request}: {stages: readonly StageResult[]; plan: Plan; request: RequestTexts | null},
): Verdict {
  if (request === null || !isVerified(verdict)) return verdict;
  const failingStages = stages.filter((result) => isPreExisting(result) && isRequested(result, {plan, request}));
  if (failingStages.length === 0) return verdict;
  return {kind: "unverified", why: "still-failing", detail: failingStages.map(({name}) => name).join(", ")};
}

function isRequested(result: StageResult, {plan, request}: {plan: Plan; request: RequestTexts}): boolean {
  const {name, kind, diagnostics, reported, baseline} = result;
  const tools = plan.stages.find((stage) => stage.name === name)?.tools ?? [];
  const ids = diagnostics.flatMap(({testId}) => testId ?? []);
  const titles = (reported?.failed ?? []).map(({title}) => title);
  const tests = [...new Set([...ids, ...titles].flatMap((test) => [test, lastTitlePart(test)]))];
  return asksToRepair(request, {
    kind,
    names: [name, ...tools.map((tool) => tool.name)],
    tests,
    isPartlyFixed: (baseline?.fixed ?? 0) > 0,
  });
}
