/** GitHub Copilot CLI: its package, arguments, keys, session files and events (`--output-format json`). */
import {z} from "zod";
import type {Adapter, TurnState} from "./adapter.ts";
import {bareModel, COMPLETE, EMPTY_TURN, flag, isId, listenTo, modelName, toolLine} from "./events.ts";

const eventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("assistant.message"),
    data: z.object({content: z.string().catch(""), model: z.string().catch("")}),
  }),
  z.object({
    type: z.literal("tool.execution_start"),
    data: z.object({toolName: z.string().catch("tool"), arguments: z.record(z.string(), z.unknown()).catch({})}),
  }),
  z.object({type: z.literal("session.error"), data: z.object({message: z.string().catch("the model call failed")})}),
  z.object({type: z.literal("result"), sessionId: z.string().catch(""), exitCode: z.number().catch(1)}),
]);
type CopilotEvent = z.infer<typeof eventSchema>;

export const copilot: Adapter = {
  name: "copilot",
  package: {name: "@github/copilot", version: "1.0.102", bin: "copilot"},

  // `copilot help environment`. GH_TOKEN and GITHUB_TOKEN would work as well; an agent never gets those.
  providers: {
    "github-copilot": {keys: ["COPILOT_GITHUB_TOKEN"]},
    custom: {
      keys: ["COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"],
      also: [
        ...["COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_TYPE", "COPILOT_PROVIDER_WIRE_API", "COPILOT_OFFLINE"],
        ...["COPILOT_PROVIDER_AZURE_API_VERSION", "COPILOT_PROVIDER_HEADERS", "COPILOT_PROVIDER_WIRE_MODEL"],
      ],
      proxied: {variables: ["COPILOT_PROVIDER_BASE_URL"]},
    },
  },

  // The folder is not trusted, so that its hooks and plugins do not run.
  arguments: (choice, {id}) => [
    ...["--output-format", "json", "--stream", "off", "--no-color", "--allow-all-tools", "--allow-all-paths"],
    ...(id === null ? [] : [`--resume=${id}`]),
    ...flag("--model", bareModel(choice)),
    ...flag("--reasoning-effort", choice.thinking),
    ...choice.extraArguments,
  ],

  environment: (configFolder) => ({COPILOT_HOME: configFolder, COPILOT_AUTO_UPDATE: "false"}),

  // It keeps its own keys from the programs that it starts.
  ownConfig: () => [],
  configFiles: [],
  configured: () => new Set(),

  conversation: {
    kind: "folder",
    root: "session-state",
    place(text) {
      const id = /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? "";
      return isId(id) ? {id, path: `session-state/${id}/events.jsonl`} : null;
    },
    pattern: (id) => new RegExp(`^session-state/${id}/events\\.jsonl$`),
  },

  // It reports no tokens and no cost.
  listen: (choice) =>
    listenTo<CopilotEvent>({
      schema: eventSchema,
      addEvent,
      progress,
      first: {...EMPTY_TURN, model: modelName(choice), usage: {...EMPTY_TURN.usage, hasUnknownCost: true}},
    }),
};

function addEvent(state: TurnState, event: CopilotEvent): TurnState {
  switch (event.type) {
    case "assistant.message":
      return {...state, answer: event.data.content};
    case "tool.execution_start":
      return {...state, toolCalls: state.toolCalls + 1};
    case "session.error":
      return {...state, errorMessage: event.data.message};
    case "result":
      return {
        ...state,
        conversation: event.sessionId,
        stopReason: event.exitCode === 0 ? COMPLETE : `exit code ${event.exitCode}`,
      };
  }
}

function progress(event: CopilotEvent): string | null {
  return event.type === "tool.execution_start" ? toolLine(event.data.toolName, event.data.arguments) : null;
}
