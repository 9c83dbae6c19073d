/** Which model provider a run uses, and whether its key is there, known before anything is started. */
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {Adapter, AgentChoice} from "./adapters/adapter.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The provider's name: the one asked for, else the first part of a `provider/model` where that is a provider, else the
 * first whose key is there. A provider that a config file gives a key for needs no variable; one that nobody knows is
 * handed on, as the agent may know it and says so clearly when not. Without any key: `missing-key`.
 */
export function findProvider(o: {
  adapter: Adapter;
  choice: Pick<AgentChoice, "provider" | "model">;
  variables: Variables;
  /** providers with a key in the agent's own config */
  configured: ReadonlySet<string>;
}): Result<string, Failure> {
  const {providers} = o.adapter;
  const hasKey = (name: string) =>
    o.configured.has(name) || (providers[name]?.keys.some((key) => Boolean(o.variables[key])) ?? false);
  const prefix = o.choice.model.includes("/") ? o.choice.model.slice(0, o.choice.model.indexOf("/")) : "";
  const named = o.choice.provider || (prefix in providers || o.configured.has(prefix) ? prefix : "");
  if (named !== "") return hasKey(named) || !(named in providers) ? ok(named) : missing(o.adapter, named);
  const first = [...Object.keys(providers), ...o.configured].find(hasKey);
  return first === undefined ? missing(o.adapter, Object.keys(providers)[0] ?? "") : ok(first);
}

function missing(adapter: Adapter, provider: string): Result<never, Failure> {
  return refused({kind: "missing-key", provider, variable: adapter.providers[provider]?.keys[0] ?? ""});
}
