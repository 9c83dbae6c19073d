/** Chooses the secret that encrypts the agent's conversations. */
import type {AgentName} from "../record/agent-names.ts";
import type {AgentChoice} from "./adapters/adapter.ts";
import {ADAPTERS} from "./adapters/all.ts";
import {findProvider} from "./keys.ts";

/** A secret, and how it is called in the workflow. */
export interface SessionKey {
  readonly name: string;
  readonly secret: string;
}

/** Everyone can try keys on the encrypted text for years, so it must be too long to be guessed. */
const MIN_CHARS = {own: 16, provider: 32};

/**
 * `sealing` encrypts: the input `session-key`, otherwise the key of the model; null if it is not fit for that. An
 * earlier run may have used any of `all`.
 */
export function findSessionKeys(options: {
  agent: AgentName;
  choice: Pick<AgentChoice, "provider" | "model">;
  sessionKey: string;
  variables: Readonly<Record<string, string | undefined>>;
}): {sealing: SessionKey | null; all: readonly SessionKey[]} {
  const {variables, choice, sessionKey} = options;
  const adapter = ADAPTERS[options.agent];
  const keysOf = (provider: string): SessionKey[] => {
    const {keys = [], folders} = adapter.providers[provider] ?? {};
    // Where the provider's own tools keep the key in a folder, a variable can be a path or the name of a profile.
    return folders === undefined ? keys.flatMap((name) => longEnough(name, variables[name], MIN_CHARS.provider)) : [];
  };
  const ownKey = longEnough("session-key", sessionKey, MIN_CHARS.own);
  const provider = findProvider({adapter, choice, variables, configured: new Set()});
  const modelKeys = provider.ok ? keysOf(provider.value) : [];
  const [sealing = null] = sessionKey === "" ? modelKeys : ownKey;
  return {sealing, all: [...ownKey, ...Object.keys(adapter.providers).flatMap(keysOf)]};
}

const longEnough = (name: string, secret: string | undefined, minChars: number): SessionKey[] =>
  secret !== undefined && secret.length >= minChars ? [{name, secret}] : [];
