/** Gemini CLI: its package, arguments, keys, chat files and events (`--output-format stream-json`). */
import {randomUUID} from "node:crypto";
import {z} from "zod";
import type {Adapter, TurnState} from "./adapter.ts";
import {bareModel, COMPLETE, flag, listenTo, toolLine} from "./events.ts";

const count = z.number().nonnegative().catch(0);
const eventSchema = z.discriminatedUnion("type", [
  z.object({type: z.literal("init"), session_id: z.string().catch(""), model: z.string().catch("")}),
  z.object({type: z.literal("message"), role: z.string(), content: z.string().catch("")}),
  z.object({
    type: z.literal("tool_use"),
    tool_name: z.string().catch("tool"),
    parameters: z.record(z.string(), z.unknown()).catch({}),
  }),
  z.object({
    type: z.literal("result"),
    status: z.string().catch(""),
    error: z.object({message: z.string().catch("")}).nullish(),
    stats: z.object({input_tokens: count, output_tokens: count, cached: count}).nullish().catch(null),
  }),
]);
type GeminiEvent = z.infer<typeof eventSchema>;

const SYSTEM_SETTINGS = "assay-system.json";
const NO_HOOKS = {hooksConfig: {enabled: false}};
/** An empty list allows every server, so this names one that does not exist. */
const NO_SERVERS = ["--allowed-mcp-server-names", `none-${randomUUID()}`];

export const gemini: Adapter = {
  name: "gemini",
  package: {name: "@google/gemini-cli", version: "0.61.0", bin: "gemini"},

  providers: {
    google: {
      keys: ["GEMINI_API_KEY"],
      also: ["GOOGLE_GEMINI_BASE_URL"],
      proxied: {address: "https://generativelanguage.googleapis.com", variables: ["GOOGLE_GEMINI_BASE_URL"]},
    },
    "google-vertex": {
      keys: ["GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
      also: ["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_VERTEX_BASE_URL"],
      folders: [".config/gcloud"],
    },
  },

  // `--skip-trust` counts only after the settings are read, so hooks and servers of the checkout are not loaded.
  arguments: (choice, {file, id}) => [
    ...["--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust"],
    ...(choice.configFolder === undefined ? NO_SERVERS : []),
    ...(id === null ? [] : ["--session-file", file]),
    ...flag("--model", bareModel(choice)),
    ...choice.extraArguments,
  ],

  readsDotenv: true,

  // The system's settings win over those of a trusted checkout. They count only if root owns the file and its folders.
  environment: (configFolder, hide) => ({
    GEMINI_CLI_HOME: configFolder,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${configFolder}/${SYSTEM_SETTINGS}`,
    BASH_ENV: hide.script,
  }),

  ownConfig: ({provider}) => [
    {
      file: ".gemini/settings.json",
      text: JSON.stringify({
        security: {auth: {selectedType: provider === "google-vertex" ? "vertex-ai" : "gemini-api-key"}},
        privacy: {usageStatisticsEnabled: false},
        general: {enableAutoUpdate: false},
        advanced: {ignoreLocalEnv: true},
        ...NO_HOOKS,
      }),
    },
    {file: SYSTEM_SETTINGS, text: JSON.stringify(NO_HOOKS)},
  ],
  configFiles: [".gemini/oauth_creds.json"],
  configured: (files) => new Set(files[".gemini/oauth_creds.json"] ? ["google"] : []),

  // A resumed chat gets a new id, and the text goes through an argument.
  conversation: {
    kind: "folder",
    root: ".gemini/tmp",
    place: (text) => (text.startsWith('{"sessionId":') ? {id: "from-file", path: null} : null),
    pattern: (id) => new RegExp(`^\\.gemini/tmp/[^/]+/chats/session-.*-${id.slice(0, 8)}\\.jsonl$`),
  },

  listen: () => listenTo<GeminiEvent>({schema: eventSchema, addEvent, progress}),
};

function addEvent(state: TurnState, event: GeminiEvent): TurnState {
  switch (event.type) {
    case "init":
      return {...state, conversation: event.session_id, model: `google/${event.model}`};
    case "message":
      return event.role === "assistant" ? {...state, answer: state.answer + event.content} : state;
    case "tool_use":
      return {...state, toolCalls: state.toolCalls + 1, answer: ""};
    case "result": {
      const {status, error, stats} = event;
      const cacheRead = stats?.cached ?? 0;
      return {
        ...state,
        stopReason: status === "success" ? COMPLETE : status,
        errorMessage: status === "error" ? error?.message || "the model call failed" : "",
        usage: {
          input: Math.max(0, (stats?.input_tokens ?? 0) - cacheRead),
          output: stats?.output_tokens ?? 0,
          ...{cacheRead, cacheWrite: 0, costUsd: 0, hasUnknownCost: true},
        },
      };
    }
  }
}

function progress(event: GeminiEvent): string | null {
  return event.type === "tool_use" ? toolLine(event.tool_name, event.parameters) : null;
}
