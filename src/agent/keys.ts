/** Chooses the model provider of a run, and checks that its key is given, before anything starts. */
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {Adapter, AgentChoice} from "./adapters/adapter.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the requested provider, or the provider in `provider/model`, or the first provider with a key. A provider
 * with a key in a config file needs no variable. An unknown provider is passed to the agent, which may know it, and
 * reports it clearly if not. Fails as `missing-key` if there is no key.
 */
export function findProvider(options: {
  adapter: Adapter;
  choice: Pick<AgentChoice, "provider" | "model">;
  variables: Variables;
  /** providers with a key in the agent's configuration */
  configured: ReadonlySet<string>;
}): Result<string, Failure> {
  const {adapter, choice, variables, configured} = options;
  const {providers} = adapter;
  const hasKey = (name: string) =>
    configured.has(name) || (providers[name]?.keys.some((key) => Boolean(variables[key])) ?? false);
  const missingKey = (provider: string) =>
    refused({kind: "missing-key" as const, provider, variable: providers[provider]?.keys[0] ?? ""});
  const prefix = choice.model.includes("/") ? choice.model.slice(0, choice.model.indexOf("/")) : "";
  const requestedName = choice.provider || (prefix in providers || configured.has(prefix) ? prefix : "");
  if (requestedName !== "")
    return hasKey(requestedName) || !(requestedName in providers) ? ok(requestedName) : missingKey(requestedName);
  const firstWithKey = [...Object.keys(providers), ...configured].find(hasKey);
  if (firstWithKey === undefined && adapter.needsNoKey) return ok("");
  return firstWithKey === undefined ? missingKey(Object.keys(providers)[0] ?? "") : ok(firstWithKey);
}
