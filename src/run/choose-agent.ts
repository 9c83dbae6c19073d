/** The inputs of a run whose request names another agent or model than the workflow. The admission has allowed them. */
import type {Inputs} from "../github/inputs.ts";
import {AGENT_NAMES} from "../record/agent-names.ts";
import type {Request} from "../record/record.ts";

/**
 * The settings of the workflow's agent are not used for another agent, which has its own names of providers and models.
 */
const AGENT_DEFAULTS = {
  provider: "",
  model: "",
  thinking: "",
  "agent-args": [],
  "agent-config": "",
} satisfies Partial<Inputs>;

export function chooseAgent(inputs: Inputs, request: Request | null): Inputs {
  return request?.kind === "work" ? withAgent(inputs, request) : inputs;
}

export function withAgent(
  inputs: Inputs,
  choice: {readonly agent?: string | undefined; readonly model?: string | undefined},
) {
  const agent = AGENT_NAMES.find((name) => name === choice.agent) ?? inputs.agent;
  const agentInputs = agent === inputs.agent ? inputs : {...inputs, ...AGENT_DEFAULTS, agent};
  return choice.model === undefined ? agentInputs : {...agentInputs, model: choice.model};
}
