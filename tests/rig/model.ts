/** The rig's language model: answers the real agent over HTTP with the turns that a test has written down. */
import {once} from "node:events";
import {mkdir, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {type ChatCompletionRequest, type ChatMessage, LLMock} from "@copilotkit/aimock";

/** One tool call of pi: https://www.npmjs.com/package/@mariozechner/pi-coding-agent */
export type Action =
  | {readonly tool: "write"; readonly arguments: {readonly path: string; readonly content: string}}
  | {
      readonly tool: "edit";
      readonly arguments: {readonly path: string; readonly edits: readonly {oldText: string; newText: string}[]};
    }
  | {readonly tool: "read"; readonly arguments: {readonly path: string}}
  | {readonly tool: "bash"; readonly arguments: {readonly command: string}};

/**
 * A tool call that lasts, with what likes to outlive its parent: in the background, in another session, without a mark,
 * deaf to SIGTERM. A scenario waits for `sleep 400` and then ends whoever it is about.
 */
export const STUBBORN_CALL = [
  "nohup sleep 401 & setsid sleep 402 & (trap '' TERM; sleep 403) &",
  "(env -i /usr/bin/setsid sleep 404 &); (setsid sleep 405 &); echo now; sleep 400",
].join("\n");

export const writeFileAt = (path: string, content: string): Action => ({tool: "write", arguments: {path, content}});
export const editFile = (path: string, oldText: string, newText: string): Action => ({
  tool: "edit",
  arguments: {path, edits: [{oldText, newText}]},
});
export const bash = (command: string): Action => ({tool: "bash", arguments: {command}});

/** What the model does with one prompt: its tool calls one after the other, then its answer. */
export interface ScriptedTurn {
  /** must stand in the prompt; a prompt without it is a failing test */
  readonly when: string | RegExp;
  readonly do?: readonly Action[];
  /** what it says with each of its tool calls, and not as its answer */
  readonly mutters?: string;
  /** the answer's text, or how the model fails once its actions are done */
  readonly say: string | {readonly status: number} | "hang";
  /** the same prompt as an earlier turn's, in a new session: otherwise it is that turn, sent again */
  readonly isAnew?: true;
}

export interface Model extends AsyncDisposable {
  readonly url: string;
  /** long and distinct, as redaction must find it wherever it turns up */
  readonly key: string;
  /** Adds turns; each is used for one prompt, in this order. */
  script(turns: readonly ScriptedTurn[]): void;
  /** The prompts that came, in order: the text of each turn's last user message. */
  readonly prompts: readonly string[];
  /** Prompts or requests that no turn was written for: must stay empty. */
  readonly unmatched: readonly string[];
  /** How many of the turns were asked for. */
  readonly used: () => number;
  /** How many user messages came before, for each prompt: 0 is a fresh session. */
  readonly history: readonly number[];
  requests(): number;
  /** all requests, as they came */
  bodies(): string[];
  /** Writes pi's settings for this model into a folder and gives the variables that make pi use them. */
  configure(folder: string): Promise<Record<string, string>>;
}

/** What one request costs in every turn. 1,200 tokens in and 34 out, at the prices below. */
export const USAGE = {prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234};
const PRICES = {input: 2, output: 8, cacheRead: 0.5, cacheWrite: 0};
export const MODEL = {provider: "openai", id: "gpt-scripted"};

/** Starts the server on a free port of loopback; a request that no turn is written for is answered 503 and remembered. */
export async function startModel(): Promise<Model> {
  const key = `sk-rig-${"0123456789abcdef".repeat(2)}-${Math.random().toString(36).slice(2)}`;
  const server = new LLMock({port: 0, host: "127.0.0.1", strict: true, logLevel: "silent"});
  const turns: ScriptedTurn[] = [];
  const bound = new Map<string, number>();
  /** the prompts that were answered to their end */
  const answered = new Set<string>();
  let used = 0;
  const prompts: string[] = [];
  const history: number[] = [];
  const unmatched: string[] = [];
  const stop = new AbortController();
  const stopped = once(stop.signal, "abort");

  /** The turn that a request belongs to. The same request sent again belongs to the same turn. */
  function turnOf(request: ChatCompletionRequest): {turn: ScriptedTurn; step: number; name: string} | null {
    const asked = request.messages.filter((message) => message.role === "user");
    const prompt = textOf(asked.at(-1));
    const name = `${asked.length}\n${prompt}`;
    const last = request.messages.findLastIndex((message) => message.role === "user");
    const step = request.messages.slice(last).filter((message) => message.role === "tool").length;
    if (step === 0 && answered.has(name) && turns[used]?.isAnew) {
      bound.delete(name);
      answered.delete(name);
    }
    const at = bound.get(name) ?? used;
    const turn = turns[at];
    const fits = typeof turn?.when === "string" ? prompt.includes(turn.when) : turn?.when.test(prompt);
    if (turn === undefined || !fits) {
      const why = turn === undefined ? "no turn is left" : `turn ${at + 1} waits for ${turn.when}`;
      const said = `${why}, but this came: ${prompt.slice(0, 2000)}`;
      if (!unmatched.includes(said)) unmatched.push(said);
      return null;
    }
    if (!bound.has(name)) {
      bound.set(name, at);
      used += 1;
      prompts.push(prompt);
      history.push(asked.length - 1);
    }
    return {turn, step, name};
  }

  server.on({predicate: (request) => turnOf(request) !== null}, async (request) => {
    const found = turnOf(request);
    if (found === null) throw new Error("a turn was found, and then was not");
    const {turn, step, name} = found;
    const action = turn.do?.[step];
    if (action !== undefined) {
      const id = `call_${used}_${step}`;
      const toolCalls = [{id, name: action.tool, arguments: JSON.stringify(action.arguments)}];
      return turn.mutters === undefined ? {toolCalls, usage: USAGE} : {content: turn.mutters, toolCalls, usage: USAGE};
    }
    if (turn.say === "hang") {
      await stopped;
      return {content: "", usage: USAGE};
    }
    answered.add(name);
    if (typeof turn.say === "string") return {content: turn.say, usage: USAGE};
    return {error: {message: "the model is overloaded", type: "server_error"}, status: turn.say.status};
  });
  await server.start();

  return {
    url: server.url,
    key,
    script: (more) => void turns.push(...more),
    prompts,
    unmatched,
    history,
    used: () => used,
    requests: () => server.getRequests().length,
    bodies: () => server.getRequests().map(({body}) => JSON.stringify(body)),
    async configure(folder) {
      const model = {id: MODEL.id, contextWindow: 128_000, maxTokens: 8_000, cost: PRICES};
      const provider = {
        baseUrl: `${server.url}/v1`,
        api: "openai-completions",
        apiKey: "OPENAI_API_KEY",
        models: [model],
      };
      await mkdir(folder, {recursive: true});
      await writeFile(join(folder, "models.json"), JSON.stringify({providers: {[MODEL.provider]: provider}}));
      // a failing model is not asked four times over a quarter of a minute
      await writeFile(join(folder, "settings.json"), JSON.stringify({retry: {enabled: false}}));
      return {PI_CODING_AGENT_DIR: folder, PI_OFFLINE: "1", PI_TELEMETRY: "0", OPENAI_API_KEY: key};
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.stop();
    },
  };
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}
