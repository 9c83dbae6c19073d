/** opencode: its package, arguments, keys, conversations and events (`opencode run --format json`). */

import {z} from "zod";
import {parseJson} from "../../record/parse-json.ts";
import type {Adapter, TurnState} from "./adapter.ts";
import {COMPLETE, EMPTY_TURN, flag, isId, listenTo, modelName, toolLine} from "./events.ts";

const count = z.number().nonnegative().catch(0);
const stepSchema = z.object({
  reason: z.string().catch(""),
  cost: count,
  tokens: z
    .object({input: count, output: count, cache: z.object({read: count, write: count}).catch({read: 0, write: 0})})
    .nullish()
    .catch(null),
});
const eventSchema = z.discriminatedUnion("type", [
  z.object({type: z.literal("step_start"), sessionID: z.string().catch("")}),
  z.object({type: z.literal("text"), part: z.object({text: z.string().catch("")})}),
  z.object({
    type: z.literal("tool_use"),
    part: z.object({
      tool: z.string().catch("tool"),
      state: z.object({input: z.record(z.string(), z.unknown()).catch({})}).catch({input: {}}),
    }),
  }),
  z.object({type: z.literal("step_finish"), part: stepSchema}),
  z.object({
    type: z.literal("error"),
    error: z.object({name: z.string().catch(""), data: z.object({message: z.string()}).nullish().catch(null)}),
  }),
]);
type OpencodeEvent = z.infer<typeof eventSchema>;

const exportSchema = z.looseObject({info: z.looseObject({id: z.string(), directory: z.string()})});
const platform = `opencode-${process.platform}-${process.arch}`;

export const opencode: Adapter = {
  name: "opencode",
  package: {
    name: "opencode-ai",
    version: "1.18.33",
    bin: "opencode",
    // The `baseline` build runs on every processor.
    entries: [`${platform}-baseline/bin/opencode`, `${platform}/bin/opencode`, `${platform}-musl/bin/opencode`],
  },

  // https://opencode.ai/docs/providers
  providers: {
    anthropic: {
      keys: ["ANTHROPIC_API_KEY"],
      also: ["ANTHROPIC_BASE_URL"],
      proxied: {address: "https://api.anthropic.com/v1", variables: ["ANTHROPIC_BASE_URL"]},
    },
    openai: {
      keys: ["OPENAI_API_KEY"],
      also: ["OPENAI_BASE_URL"],
      proxied: {address: "https://api.openai.com/v1", variables: ["OPENAI_BASE_URL"]},
    },
    google: {
      keys: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
      proxied: {address: "https://generativelanguage.googleapis.com/v1beta"},
    },
    openrouter: {
      keys: ["OPENROUTER_API_KEY"],
      also: ["OPENROUTER_BASE_URL"],
      proxied: {address: "https://openrouter.ai/api/v1", variables: ["OPENROUTER_BASE_URL"]},
    },
    "amazon-bedrock": {
      keys: ["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"],
      also: ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ROLE_ARN"],
      folders: [".aws"],
    },
    "google-vertex": {
      keys: ["GOOGLE_APPLICATION_CREDENTIALS"],
      also: ["GOOGLE_CLOUD_PROJECT", "GOOGLE_VERTEX_LOCATION"],
      folders: [".config/gcloud"],
    },
    azure: {keys: ["AZURE_API_KEY"], also: ["AZURE_RESOURCE_NAME"]},
    opencode: {keys: ["OPENCODE_API_KEY"]},
    mistral: {keys: ["MISTRAL_API_KEY"]},
    groq: {keys: ["GROQ_API_KEY"]},
    xai: {keys: ["XAI_API_KEY"]},
    deepseek: {keys: ["DEEPSEEK_API_KEY"]},
  },

  // A plugin of the checkout would run inside opencode. A title would cost one more call of a model.
  arguments: (choice, {id}) => [
    ...["run", "--format", "json", "--auto", "--pure", "--title", "Assay"],
    ...(id === null ? [] : ["--session", id]),
    ...flag("--model", choice.model === "" ? "" : modelName(choice)),
    ...flag("--variant", choice.thinking),
    ...choice.extraArguments,
  ],

  environment: (configFolder, hide) => ({
    XDG_CONFIG_HOME: configFolder,
    XDG_DATA_HOME: `${configFolder}/data`,
    XDG_STATE_HOME: `${configFolder}/state`,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    BASH_ENV: hide.script,
  }),

  ownConfig: ({provider, address}) => {
    const providers = address ? {provider: {[provider]: {options: {baseURL: address}}}} : {};
    return [{file: "opencode/opencode.json", text: JSON.stringify({share: "disabled", ...providers})}];
  },
  configFiles: ["opencode/opencode.json", "data/opencode/auth.json"],
  configured: (files) => {
    const names = Object.values(files).map((text) => {
      const settings = parse(text);
      return Object.keys(settings["provider"] instanceof Object ? settings["provider"] : {});
    });
    return new Set([...names.flat(), ...Object.keys(parse(files["data/opencode/auth.json"] ?? ""))]);
  },

  conversation: {
    kind: "commands",
    adapt(text, folder) {
      const conversation = exportSchema.safeParse(parse(text)).data;
      if (conversation === undefined || !isId(conversation.info.id)) return null;
      const {info} = conversation;
      return {id: info.id, text: JSON.stringify({...conversation, info: {...info, directory: folder}})};
    },
    load: (file) => ["import", file],
    save: (id) => ["export", id],
  },

  listen: (choice) =>
    listenTo<OpencodeEvent>({
      schema: eventSchema,
      addEvent,
      progress,
      first: {...EMPTY_TURN, model: modelName(choice)},
    }),
};

function parse(text: string): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).safeParse(parseJson(text)).data ?? {};
}

function addEvent(state: TurnState, event: OpencodeEvent): TurnState {
  switch (event.type) {
    case "step_start":
      return {...state, conversation: event.sessionID || state.conversation, answer: ""};
    case "text":
      return {...state, answer: [state.answer, event.part.text].filter(Boolean).join("\n")};
    case "tool_use":
      return {...state, toolCalls: state.toolCalls + 1};
    case "error":
      return {...state, errorMessage: event.error.data?.message || event.error.name || "the model call failed"};
    case "step_finish": {
      const {reason, cost, tokens} = event.part;
      const {usage} = state;
      return {
        ...state,
        stopReason: reason === "stop" ? COMPLETE : reason,
        usage: {
          input: usage.input + (tokens?.input ?? 0),
          output: usage.output + (tokens?.output ?? 0),
          cacheRead: usage.cacheRead + (tokens?.cache.read ?? 0),
          cacheWrite: usage.cacheWrite + (tokens?.cache.write ?? 0),
          costUsd: usage.costUsd + cost,
        },
      };
    }
  }
}

function progress(event: OpencodeEvent): string | null {
  return event.type === "tool_use" ? toolLine(event.part.tool, event.part.state.input) : null;
}
