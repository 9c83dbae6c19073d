/** Claude Code: its package, arguments, keys, conversation files and events (`--output-format stream-json`). */
import {z} from "zod";
import {anthropicTokens, anthropicUsageSchema} from "../../judge/providers/anthropic-usage.ts";
import type {Adapter, TurnState} from "./adapter.ts";
import {bareModel, COMPLETE, flag, isId, listenTo, toolLine} from "./events.ts";

const contentSchema = z.object({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const eventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("assistant"),
    parent_tool_use_id: z.string().nullish(),
    message: z.object({model: z.string().catch(""), content: z.array(contentSchema).catch([])}),
  }),
  z.object({
    type: z.literal("result"),
    subtype: z.string().catch(""),
    is_error: z.boolean().catch(true),
    result: z.string().catch(""),
    session_id: z.string().catch(""),
    total_cost_usd: z.number().nonnegative().catch(0),
    usage: anthropicUsageSchema,
  }),
]);
type ClaudeEvent = z.infer<typeof eventSchema>;

export const claude: Adapter = {
  name: "claude",
  package: {
    name: "@anthropic-ai/claude-code",
    version: "2.1.330",
    bin: "claude",
    entries: ["@anthropic-ai/claude-code/cli-wrapper.cjs"],
  },

  // https://docs.claude.com/en/docs/claude-code/settings#environment-variables
  providers: {
    anthropic: {
      keys: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"],
      also: ["ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS"],
      proxied: {
        address: "https://api.anthropic.com",
        variables: ["ANTHROPIC_BASE_URL"],
        except: ["CLAUDE_CODE_OAUTH_TOKEN"],
      },
    },
    "amazon-bedrock": {
      keys: ["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"],
      also: [
        ...["CLAUDE_CODE_USE_BEDROCK", "ANTHROPIC_BEDROCK_BASE_URL", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
        ...["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ROLE_ARN"],
      ],
      folders: [".aws"],
    },
    "google-vertex": {
      keys: ["GOOGLE_APPLICATION_CREDENTIALS"],
      also: ["CLAUDE_CODE_USE_VERTEX", "ANTHROPIC_VERTEX_PROJECT_ID", "CLOUD_ML_REGION", "ANTHROPIC_VERTEX_BASE_URL"],
      folders: [".config/gcloud"],
    },
    azure: {
      keys: ["ANTHROPIC_FOUNDRY_API_KEY"],
      also: ["CLAUDE_CODE_USE_FOUNDRY", "ANTHROPIC_FOUNDRY_RESOURCE", "ANTHROPIC_FOUNDRY_BASE_URL"],
    },
  },

  // Hooks and servers of the checkout would run next to the model's key. CLAUDE.md is read.
  arguments: (choice, {id}) => [
    ...["-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions", "--strict-mcp-config"],
    ...["--settings", JSON.stringify({disableAllHooks: true})],
    ...(id === null ? [] : ["--resume", id]),
    ...flag("--model", bareModel(choice)),
    ...flag("--effort", choice.thinking),
    ...choice.extraArguments,
  ],

  withoutTools: ["--tools", ""],

  // Without IS_SANDBOX, Claude Code refuses to work as root, which is the user of most containers.
  environment: (configFolder, hide) => ({
    CLAUDE_CONFIG_DIR: configFolder,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_SHELL_PREFIX: hide.prefix,
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  }),

  ownConfig: () => [],
  configFiles: [".credentials.json"],
  configured: (files) => new Set(files[".credentials.json"] ? ["anthropic"] : []),

  conversation: {
    kind: "folder",
    root: "projects",
    place(text, folder) {
      const id = /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? "";
      return isId(id) ? {id, path: `projects/${folder.replace(/[^a-zA-Z0-9]/g, "-")}/${id}.jsonl`} : null;
    },
    pattern: (id) => new RegExp(`^projects/[^/]+/${id}\\.jsonl$`),
  },

  listen: () => listenTo<ClaudeEvent>({schema: eventSchema, addEvent, progress}),
};

function addEvent(state: TurnState, event: ClaudeEvent): TurnState {
  if (event.type === "assistant") {
    const {content, model} = event.message;
    const toolCalls = state.toolCalls + content.filter(({type}) => type === "tool_use").length;
    if (event.parent_tool_use_id != null || model === "<synthetic>") return {...state, toolCalls};
    const answer = content.flatMap(({type, text}) => (type === "text" && text ? [text] : [])).join("\n");
    return {...state, toolCalls, answer, model: `anthropic/${model}`};
  }
  const {is_error: isError, subtype, result, usage} = event;
  return {
    ...state,
    conversation: event.session_id,
    answer: isError ? state.answer : result || state.answer,
    stopReason: subtype === "success" ? COMPLETE : subtype,
    errorMessage: isError && subtype === "success" ? result || "the model call failed" : "",
    usage: {...anthropicTokens(usage), costUsd: event.total_cost_usd},
  };
}

function progress(event: ClaudeEvent): string | null {
  if (event.type !== "assistant") return null;
  const call = event.message.content.find(({type}) => type === "tool_use");
  return call === undefined ? null : toolLine(call.name ?? "tool", call.input ?? {});
}
