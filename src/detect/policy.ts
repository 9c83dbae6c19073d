/** The digest of the rules that decide a verdict: the configuration, and what the plan runs. */
import type {Plan} from "../record/plan.ts";
import {canonicalJson, digestOf} from "../record/statement.ts";
import {splitShell} from "../shell/split.ts";
import {bodyOf} from "./ci/bodies.ts";
import {readScriptBodies} from "./command-analysis/script-bodies.ts";
import type {Config} from "./config/config.ts";
import type {Project} from "./files/project.ts";
import {enter} from "./scripts/shell-values.ts";

const MAX_BODIES = 500;

/**
 * SHA-256 of the rules. Where the work goes, who is notified, and what an agent may spend are no rules, and neither is
 * the wording of the plan. The bodies of scripts, shell files, targets and recipes decide too (P4).
 */
export function policyDigest(config: Config, plan: Plan, project: Project): string {
  const {file, extended, notify, onFailure, publish, pullRequest, sessions, ...others} = config;
  const {budget, allRepositories, prices, judge, maxFixAttempts, tries, ...rules} = others;
  const stages = plan.stages.map(({origin, tools, services, ...stage}) => stage);
  const setup = plan.setup.map(({origin, tools, ...step}) => step);
  return digestOf(canonicalJson({rules, stages, setup, bodies: bodiesOf(plan, project)}));
}

/** The texts behind the commands, and behind the commands in these texts. */
function bodiesOf({stages, setup}: Plan, project: Project): string[] {
  const seen = new Set<string>();
  const texts: {text: string; cwd: string}[] = [...setup, ...stages].map(({command, cwd}) => ({text: command, cwd}));
  // It grows while it is read.
  for (const {text, cwd: start} of texts) {
    let cwd: string | null = start;
    for (const {words} of splitShell(text) ?? []) {
      if (words[0] === "cd") cwd = enter(cwd, words[1] ?? "");
      if (cwd === null || seen.size >= MAX_BODIES) continue;
      const place = {project, cwd};
      const plain = () => bodyOf({...place, words})?.map((line) => ({text: line, cwd: start}));
      for (const body of readScriptBodies(words, place) ?? plain() ?? []) {
        const key = JSON.stringify([body.cwd, body.text]);
        if (!seen.has(key)) texts.push(body);
        seen.add(key);
      }
    }
  }
  return [...seen].toSorted();
}
