/** The agent and the model that a request names before its text, as in `/assay agent=codex model=gpt-5 fix the login`. */

import {MAX_TRIES} from "../record/words.ts";

/** Names for the lists of the workflow's inputs; absent if the request leaves the choice to workflow and `verify.json`. */
export interface ChosenAgent {
  readonly tries?: number | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

/** The agents and models that a request may name. */
export interface AllowedChoices {
  readonly agents: readonly string[];
  readonly models: readonly string[];
}

/** No name of a model is longer. */
const MAX_NAME_CHARS = 200;
/** The limit of two protects against long texts of strangers. */
const CHOICES = /^(?:(?:agent|model)=\S+(?:\s+|$)){0,2}/i;
const TRIES = /^tries=(\d{1,3})(?:\s+|$)/i;

/** Separates the choice from the text of a request. `tries` is before or after the names. */
export function splitChoice(text: string): ChosenAgent & {readonly text: string} {
  const early = TRIES.exec(text);
  const afterTries = text.slice(early?.[0].length ?? 0);
  const [head = ""] = CHOICES.exec(afterTries) ?? [];
  const names = head.split(/\s+/).flatMap((word) => {
    const at = word.indexOf("=");
    return at < 0 ? [] : [[word.slice(0, at).toLowerCase(), word.slice(at + 1, at + 1 + MAX_NAME_CHARS)]];
  });
  const rest = afterTries.slice(head.length);
  const late = early === null ? TRIES.exec(rest) : null;
  const tries = Number((early ?? late)?.[1]);
  return {
    ...Object.fromEntries(names),
    ...(Number.isNaN(tries) ? {} : {tries: Math.min(MAX_TRIES, Math.max(1, tries))}),
    text: rest.slice(late?.[0].length ?? 0),
  };
}

/** True if the lists allow each name of the choice. Names of models differ in case. */
export function isAllowedChoice({agent, model}: ChosenAgent, {agents, models}: AllowedChoices): boolean {
  return (agent === undefined || agents.includes(agent)) && (model === undefined || models.includes(model));
}
