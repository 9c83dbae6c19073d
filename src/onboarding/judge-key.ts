/** Finds the secret that the judge needs. */
import type {JudgeConfig} from "../detect/config/judge-config.ts";
import {ENDPOINTS, type EndpointName} from "../judge/providers/endpoints.ts";

/** The variable with the key of the judge's model; null if the judge uses the key of the agent. */
export function judgeKey({provider, model}: Pick<JudgeConfig, "provider" | "model">): string | null {
  const name = judgeEndpoint({provider, model});
  return name === null ? null : ENDPOINTS[name].key;
}

/** The agent's own session can have a model of another provider: `openai/gpt-5`. */
function judgeEndpoint({provider, model}: Pick<JudgeConfig, "provider" | "model">): EndpointName | null {
  if (provider !== "agent") return provider;
  const [prefix = "", name] = model.split("/", 2);
  return name !== undefined && isEndpoint(prefix) ? prefix : null;
}

const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(ENDPOINTS, name);
