/** The `pi` coding agent: its package, arguments, keys, configuration and session format. */
import {parse} from "jsonc-parser";
import {z} from "zod";
import type {Adapter, AgentChoice, TurnState} from "./adapter.ts";
import {EMPTY_TURN, flag} from "./events.ts";
import {addEvent, endOf, progressOf, readEvent} from "./pi-events.ts";

const configSchema = z.record(z.string(), z.unknown());
const headerSchema = z.looseObject({type: z.literal("session"), id: z.string()});

export const pi = {
  name: "pi",
  package: {name: "@mariozechner/pi-coding-agent", version: "0.73.1", bin: "pi"},

  // The variables that pi reads (its docs/providers.md and pi-ai's env-api-keys). The Copilot provider
  // also accepts GH_TOKEN and GITHUB_TOKEN; an agent never gets those.
  providers: {
    anthropic: {
      keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN"],
      proxied: {address: "https://api.anthropic.com", variables: ["ANTHROPIC_BASE_URL"]},
    },
    openai: {
      keys: ["OPENAI_API_KEY"],
      proxied: {address: "https://api.openai.com/v1", variables: ["OPENAI_BASE_URL"]},
    },
    google: {
      keys: ["GEMINI_API_KEY"],
      proxied: {address: "https://generativelanguage.googleapis.com/v1beta", variables: ["GOOGLE_GEMINI_BASE_URL"]},
    },
    openrouter: {
      keys: ["OPENROUTER_API_KEY"],
      proxied: {address: "https://openrouter.ai/api/v1", variables: ["OPENROUTER_BASE_URL"]},
    },
    "amazon-bedrock": {
      keys: ["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"],
      also: ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ROLE_ARN"],
      folders: [".aws"],
    },
    "azure-openai-responses": {
      keys: ["AZURE_OPENAI_API_KEY"],
      also: [
        "AZURE_OPENAI_BASE_URL",
        "AZURE_OPENAI_RESOURCE_NAME",
        "AZURE_OPENAI_API_VERSION",
        "AZURE_OPENAI_DEPLOYMENT_NAME_MAP",
      ],
    },
    "google-vertex": {
      keys: ["GOOGLE_CLOUD_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
      folders: [".config/gcloud"],
      also: ["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
    },
    "cloudflare-ai-gateway": {
      keys: ["CLOUDFLARE_API_KEY"],
      also: ["CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_GATEWAY_ID"],
    },
    "cloudflare-workers-ai": {keys: ["CLOUDFLARE_API_KEY"], also: ["CLOUDFLARE_ACCOUNT_ID"]},
    "github-copilot": {keys: ["COPILOT_GITHUB_TOKEN"]},
    "vercel-ai-gateway": {keys: ["AI_GATEWAY_API_KEY"], proxied: {address: "https://ai-gateway.vercel.sh"}},
    deepseek: {keys: ["DEEPSEEK_API_KEY"], proxied: {address: "https://api.deepseek.com"}},
    groq: {keys: ["GROQ_API_KEY"], proxied: {address: "https://api.groq.com/openai/v1"}},
    cerebras: {keys: ["CEREBRAS_API_KEY"], proxied: {address: "https://api.cerebras.ai/v1"}},
    xai: {keys: ["XAI_API_KEY"], proxied: {address: "https://api.x.ai/v1"}},
    mistral: {keys: ["MISTRAL_API_KEY"], proxied: {address: "https://api.mistral.ai"}},
    zai: {keys: ["ZAI_API_KEY"], proxied: {address: "https://api.z.ai/api/coding/paas/v4"}},
    minimax: {keys: ["MINIMAX_API_KEY"], proxied: {address: "https://api.minimax.io/anthropic"}},
    moonshotai: {keys: ["MOONSHOT_API_KEY"], proxied: {address: "https://api.moonshot.ai/v1"}},
    huggingface: {keys: ["HF_TOKEN"], proxied: {address: "https://router.huggingface.co/v1"}},
    fireworks: {keys: ["FIREWORKS_API_KEY"], proxied: {address: "https://api.fireworks.ai/inference"}},
    opencode: {keys: ["OPENCODE_API_KEY"]},
    "kimi-coding": {keys: ["KIMI_API_KEY"], proxied: {address: "https://api.kimi.com/coding"}},
    xiaomi: {keys: ["XIAOMI_API_KEY"], proxied: {address: "https://api.xiaomimimo.com/anthropic"}},
  },

  // `--session <file>` creates a missing file, in pi 0.73 as in 0.87, so the version does not matter. Extensions of the
  // checkout would run inside pi, next to the model's key; skills and templates of a home folder would make runs
  // differ. The owner can name single ones in extraArguments.
  arguments: (choice: AgentChoice, {file}: {file: string}) => [
    "--mode",
    "json",
    "--no-extensions",
    "--no-skills",
    "--no-prompt-templates",
    "--no-themes",
    "--session",
    file,
    // pi reads a provider only together with a model
    ...(choice.model === "" ? [] : [...flag("--provider", choice.provider), "--model", choice.model]),
    ...flag("--thinking", choice.thinking),
    ...choice.extraArguments,
    // The last argument, because `-p` treats the next one as a prompt.
    "-p",
  ],

  withoutTools: ["--no-tools", "--no-context-files"],

  // Offline mode stops only pi's own downloads, such as the packages that the checkout's `.pi/settings.json` lists.
  environment: (configFolder) => ({PI_CODING_AGENT_DIR: configFolder, PI_OFFLINE: "1", PI_TELEMETRY: "0"}),

  // pi passes its whole environment to its bash tool; a setting adds a line before every command.
  // Its providers' addresses are settings, too.
  ownConfig: ({secrets, provider, address}) => [
    {
      file: "settings.json",
      text: JSON.stringify(secrets.length === 0 ? {} : {shellCommandPrefix: `unset ${secrets.join(" ")}`}),
    },
    ...(address === ""
      ? []
      : [{file: "models.json", text: JSON.stringify({providers: {[provider]: {baseUrl: address}}})}]),
  ],

  configFiles: ["auth.json", "models.json"],

  configured: (files) => {
    const signedIn = configSchema.safeParse(parse(files["auth.json"] ?? "")).data ?? {};
    const models = z.object({providers: configSchema}).safeParse(parse(files["models.json"] ?? "")).data;
    const providersWithKey = Object.entries(models?.providers ?? {}).flatMap(([name, provider]) =>
      z.object({apiKey: z.string().min(1)}).safeParse(provider).success ? [name] : [],
    );
    return new Set([...Object.keys(signedIn), ...providersWithKey]);
  },

  conversation: {kind: "file" as const, resume},

  listen: () => {
    let state: TurnState = EMPTY_TURN;
    return {
      line(text) {
        const event = readEvent(text);
        if (event === null) return null;
        state = addEvent(state, event);
        return progressOf(event);
      },
      state: () => state,
      end: () => endOf(state),
    };
  },
} satisfies Adapter;

/**
 * pi works in the folder named in the session's first line, and does not start without it, so a session from another
 * runner gets the new folder. If pi was killed while it wrote, the last line may be cut: without an LF, the next entry
 * would be lost with it.
 */
function resume(session: string, folder: string): string {
  const [first = "", ...rest] = session.split("\n");
  const {data: header} = headerSchema.safeParse(parse(first));
  if (header === undefined) return session;
  const text = [JSON.stringify({...header, cwd: folder}), ...rest].join("\n");
  return text.endsWith("\n") ? text : `${text}\n`;
}
