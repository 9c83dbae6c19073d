/** OpenAI's Codex CLI: its package, arguments, keys, rollout files and events (`codex exec --json`). */

import {z} from "zod";
import {parseJson} from "../../record/parse-json.ts";
import type {Adapter, TurnState} from "./adapter.ts";
import {bareModel, COMPLETE, EMPTY_TURN, isId, listenTo, modelName, toolLine} from "./events.ts";

const count = z.number().nonnegative().catch(0);
const usageSchema = z.object({input_tokens: count, cached_input_tokens: count, output_tokens: count});
const itemSchema = z.object({
  type: z.string(),
  text: z.string().optional(),
  command: z.string().optional(),
  changes: z
    .array(z.object({path: z.string()}))
    .optional()
    .catch(undefined),
});
const errorSchema = z.object({message: z.string().catch("the model call failed")});
const eventSchema = z.discriminatedUnion("type", [
  z.object({type: z.literal("thread.started"), thread_id: z.string()}),
  z.object({type: z.literal("item.started"), item: itemSchema}),
  z.object({type: z.literal("item.completed"), item: itemSchema}),
  z.object({type: z.literal("turn.completed"), usage: usageSchema.nullish().catch(null)}),
  z.object({type: z.literal("turn.failed"), error: errorSchema}),
]);
type CodexEvent = z.infer<typeof eventSchema>;
type Total = z.infer<typeof usageSchema>;

/** The addresses for Codex's Responses protocol, by the name of the provider. */
const ADDRESSES: Readonly<Record<string, {standard: string; key: string}>> = {
  openai: {standard: "https://api.openai.com/v1", key: "OPENAI_API_KEY"},
  openrouter: {standard: "https://openrouter.ai/api/v1", key: "OPENROUTER_API_KEY"},
  azure: {standard: "", key: "AZURE_OPENAI_API_KEY"},
};

/** Items that only report; all others count as tool calls. */
const NO_CALL = new Set(["agent_message", "reasoning", "error", "todo_list"]);

export const codex: Adapter = {
  name: "codex",
  package: {name: "@openai/codex", version: "0.169.0", bin: "codex"},

  providers: {
    openai: {
      keys: ["OPENAI_API_KEY"],
      also: ["OPENAI_BASE_URL"],
      proxied: {address: ADDRESSES["openai"]?.standard ?? "", variables: ["OPENAI_BASE_URL"]},
    },
    openrouter: {
      keys: ["OPENROUTER_API_KEY"],
      also: ["OPENROUTER_BASE_URL"],
      proxied: {address: ADDRESSES["openrouter"]?.standard ?? "", variables: ["OPENROUTER_BASE_URL"]},
    },
    azure: {
      keys: ["AZURE_OPENAI_API_KEY"],
      also: ["AZURE_OPENAI_BASE_URL"],
      proxied: {variables: ["AZURE_OPENAI_BASE_URL"]},
    },
  },

  // Codex's own sandbox needs privileges that Assay's sandbox removes. Its settings in the checkout need a trusted
  // project.
  arguments: (choice, {id}) => [
    ...["exec", ...(id === null ? [] : ["resume", id])],
    ...["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
    ...(choice.model === "" ? [] : ["-m", bareModel(choice)]),
    ...(choice.thinking === "" ? [] : ["-c", `model_reasoning_effort=${JSON.stringify(choice.thinking)}`]),
    ...choice.extraArguments,
    "-",
  ],

  environment: (configFolder) => ({CODEX_HOME: configFolder}),

  ownConfig: ({secrets, provider, address}) => [{file: "config.toml", text: settings(secrets, provider, address)}],
  configFiles: ["auth.json"],
  configured: (files) => new Set(files["auth.json"] ? ["openai"] : []),

  conversation: {
    kind: "folder",
    root: "sessions",
    place(text) {
      const id = /"id":"([^"]+)"/.exec(text)?.[1] ?? "";
      const time = /"timestamp":"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(text);
      if (!isId(id) || time === null) return null;
      const [, year, month, day, ...clock] = time;
      return {
        id,
        path: `sessions/${year}/${month}/${day}/rollout-${year}-${month}-${day}T${clock.join("-")}-${id}.jsonl`,
      };
    },
    pattern: (id) => new RegExp(`^sessions/.*-${id}\\.jsonl$`),
  },

  listen: (choice, earlier) => {
    const previousTotal = totalBefore(earlier);
    return listenTo<CodexEvent>({
      schema: eventSchema,
      addEvent: (state, event) => addEvent(state, event, previousTotal),
      progress,
      first: {...EMPTY_TURN, model: modelName(choice)},
    });
  },
};

function settings(secrets: readonly string[], provider: string, address: string): string {
  const knownAddress = ADDRESSES[provider];
  const text = (value: string) => JSON.stringify(value);
  const model =
    knownAddress === undefined
      ? []
      : [
          'model_provider = "assay"',
          "[model_providers.assay]",
          `name = ${text(provider)}`,
          `base_url = ${text(address || knownAddress.standard)}`,
          `env_key = ${text(knownAddress.key)}`,
          'wire_api = "responses"',
        ];
  const policy = ["[shell_environment_policy]", `exclude = [${secrets.map(text).join(", ")}]`];
  return `${[...model, ...policy].join("\n")}\n`;
}

/** Codex reports the sum of the whole thread, so the usage before this turn is read from the rollout. */
function totalBefore(earlier: string): Total {
  const at = earlier.lastIndexOf('"total_token_usage":');
  const text = at < 0 ? "" : (/^\{[^{}]*\}/.exec(earlier.slice(at + '"total_token_usage":'.length))?.[0] ?? "");
  const none = {input_tokens: 0, cached_input_tokens: 0, output_tokens: 0};
  return usageSchema.safeParse(parseJson(text)).data ?? none;
}

function addEvent(state: TurnState, event: CodexEvent, before: Total): TurnState {
  switch (event.type) {
    case "thread.started":
      return {...state, conversation: event.thread_id};
    case "item.started":
      return state;
    case "item.completed":
      if (event.item.type === "agent_message") return {...state, answer: event.item.text ?? ""};
      return NO_CALL.has(event.item.type) ? state : {...state, toolCalls: state.toolCalls + 1};
    case "turn.failed":
      return {...state, errorMessage: event.error.message};
    case "turn.completed":
      return {...state, stopReason: COMPLETE, usage: usageOf(event.usage ?? before, before)};
  }
}

function usageOf(total: Total, before: Total): TurnState["usage"] {
  const cacheRead = Math.max(0, total.cached_input_tokens - before.cached_input_tokens);
  return {
    input: Math.max(0, total.input_tokens - before.input_tokens - cacheRead),
    output: Math.max(0, total.output_tokens - before.output_tokens),
    cacheRead,
    cacheWrite: 0,
    costUsd: 0,
    hasUnknownCost: true,
  };
}

function progress(event: CodexEvent): string | null {
  if (event.type !== "item.started") return null;
  const {type, command, changes} = event.item;
  if (command !== undefined) return toolLine("bash", {command});
  return changes?.length ? `edit ${changes.map(({path}) => path).join(" ")}` : NO_CALL.has(type) ? null : type;
}
