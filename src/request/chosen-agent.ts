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

/** Longer than any name of a model. */
const MAX_NAME_CHARS = 200;
const CHOICE = /^(agent|model)=(\S+)(?:\s+|$)/i;

/** Separates the choice from the text of a request. */
export function splitChoice(text: string): ChosenAgent & {readonly text: string} {
  const match = CHOICE.exec(text);
  if (match === null) return {text};
  const [whole, key = "", value = ""] = match;
  const name = value.slice(0, MAX_NAME_CHARS);
  const choice = key.toLowerCase() === "agent" ? {agent: name} : {model: name};
  return {...choice, ...splitChoice(text.slice(whole.length))};
}

/** True if the lists have each name of the choice. Names of models differ in case. */
export function isAllowedChoice({agent, model}: ChosenAgent, {agents, models}: AllowedChoices): boolean {
  return (agent === undefined || agents.includes(agent)) && (model === undefined || models.includes(model));
}
