/** The agent and the model that a request names before its text, as in `/assay agent=codex model=gpt-5 fix the login`. */

/** Names for the lists of the workflow's inputs; absent if the request leaves the choice to the workflow. */
export interface ChosenAgent {
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

/** Separates the choice from the text of a request. */
export function splitChoice(text: string): ChosenAgent & {readonly text: string} {
  const [head = ""] = CHOICES.exec(text) ?? [];
  const names = head.split(/\s+/).flatMap((word) => {
    const at = word.indexOf("=");
    return at < 0 ? [] : [[word.slice(0, at).toLowerCase(), word.slice(at + 1, at + 1 + MAX_NAME_CHARS)]];
  });
  return {...Object.fromEntries(names), text: text.slice(head.length)};
}

/** True if the lists allow each name of the choice. Names of models differ in case. */
export function isAllowedChoice({agent, model}: ChosenAgent, {agents, models}: AllowedChoices): boolean {
  return (agent === undefined || agents.includes(agent)) && (model === undefined || models.includes(model));
}
