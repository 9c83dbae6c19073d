/** A temporary world for a session with the real pi: folders, and a scripted model on loopback in pi's own config. */
import {mkdir, mkdtemp, readdir, readFile, rm, symlink} from "node:fs/promises";
import {tmpdir} from "node:os";
import {delimiter, join} from "node:path";
import {LLMock} from "@copilotkit/aimock";
import {openSession, type Session, type SessionOptions} from "../../../src/agent/session.ts";
import {agentProgram} from "../../rig/agent.ts";
import {COMPILE_CACHE} from "../../rig/compile-cache.ts";

/** Longer than its prefixes, so that a search for it finds it alone. */
export const KEY = "model-key-canary-8842-5517-9034";

/** What the model reports for one call. */
export const CALL = {prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234};

export interface World {
  readonly model: LLMock;
  readonly folder: string;
  readonly file: string;
  readonly scratch: string;
  /** text of a file of the working folder */
  read(name: string): Promise<string>;
  open(options?: Partial<SessionOptions>): Promise<Session>;
  /** all that the model was asked, as JSON */
  heard(): string;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), "assay-agent-"));
  const [folder, scratch, home] = [join(root, "work"), join(root, "scratch"), join(root, "home")];
  const bin = join(root, "bin");
  for (const made of [folder, home, bin, scratch]) await mkdir(made, {recursive: true});
  await symlink(agentProgram(), join(bin, "pi"));
  const model = new LLMock({port: 0, strict: true, logLevel: "silent"});
  await model.start();
  const file = join(root, "session", "issue-1.jsonl");
  return {
    model,
    folder,
    file,
    scratch,
    read: (name) => readFile(join(folder, name), "utf8"),
    heard: () => JSON.stringify(model.getRequests().map(({body}) => body)),
    async open(options = {}) {
      const session = await openSession({
        agent: "pi",
        model: "openai/gpt-5-mini",
        provider: "",
        thinking: "",
        extraArguments: [],
        variables: {
          PATH: [bin, process.env["PATH"]].join(delimiter),
          NODE_COMPILE_CACHE: COMPILE_CACHE,
          OPENAI_API_KEY: KEY,
          OPENAI_BASE_URL: `${model.url}/v1`,
          ANTHROPIC_API_KEY: "other-provider-canary",
          GITHUB_TOKEN: "github-token-canary",
          ACTIONS_RUNTIME_TOKEN: "actions-token-canary",
          INPUT_TOKEN: "input-token-canary",
        },
        folder,
        file,
        home,
        scratch,
        timeoutMs: () => 30_000,
        isolation: "degraded",
        protectsKey: false,
        ...options,
      });
      if (!session.ok) throw new Error(JSON.stringify(session.failure));
      return session.value;
    },
    async [Symbol.asyncDispose]() {
      await model.stop();
      await rm(root, {recursive: true, force: true});
    },
  };
}

/** Ids of the processes whose command line or environment holds `text`. */
export async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const held = await Promise.all(
    ids.map(async (id) => {
      const parts = ["cmdline", "environ"].map((part) => readFile(join("/proc", id, part), "latin1").catch(() => ""));
      return (await Promise.all(parts)).some((part) => part.includes(text));
    }),
  );
  return ids.filter((_, at) => held[at]);
}
