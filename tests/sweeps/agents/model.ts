/** A scripted model for any agent: it speaks the protocols of OpenAI, Anthropic and Google, and calls the agent's own shell tool. */
import {type ChatCompletionRequest, type ChatMessage, LLMock} from "@copilotkit/aimock";

/** What the model does with the prompt that contains `when`. */
interface ShellTurn {
  readonly when: string;
  readonly run: string;
  readonly say: string;
}

export interface ShellModel extends AsyncDisposable {
  readonly url: string;
  /** For each prompt that was answered, the earlier answers that the agent sent with it. */
  readonly memories: readonly string[][];
  /** how often a request came that contains this text */
  requestsWith(text: string): number;
}

/** The name of the shell tool of each agent, and its arguments for a line. */
const SHELLS: Readonly<Record<string, (line: string) => object>> = {
  Bash: (command) => ({command, description: "write files"}),
  exec_command: (cmd) => ({cmd}),
  run_shell_command: (command) => ({command, description: "write files"}),
  bash: (command) => ({command, description: "write files"}),
};
const COUNTS = {prompt_tokens: 1200, completion_tokens: 34, input_tokens: 1200, output_tokens: 34};
const USAGE = {...COUNTS, total_tokens: 1234, promptTokenCount: 1200, candidatesTokenCount: 34, totalTokenCount: 1234};

export async function startShellModel(turns: readonly ShellTurn[]): Promise<ShellModel> {
  const server = new LLMock({port: 0, host: "127.0.0.1", strict: true, logLevel: "silent"});
  const memories: string[][] = [];
  const asked: string[] = [];
  let calls = 0;
  server.on({predicate: () => true}, async (request) => {
    asked.push(JSON.stringify(request));
    const shell = (request.tools ?? []).map((tool) => tool.function?.name).find((name) => name in SHELLS);
    const found = currentTurn(request, turns);
    // a request for a title or a summary offers no tool
    if (shell === undefined || found === null) return {content: "Scripted.", usage: USAGE};
    const {turn, messages} = found;
    if (messages.some(({role}) => role === "tool")) {
      memories.push(request.messages.filter(({role}) => role === "assistant").map(textOf));
      return {content: turn.say, usage: USAGE};
    }
    calls += 1;
    const args = JSON.stringify(SHELLS[shell]?.(turn.run));
    return {toolCalls: [{id: `call_${calls}`, name: shell, arguments: args}], usage: USAGE};
  });
  await server.start();
  return {
    url: server.url,
    memories,
    requestsWith: (text) => asked.filter((request) => request.includes(text)).length,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** The turn of the last prompt, and the messages since. Agents add messages of their own, in the name of the user. */
function currentTurn({messages}: ChatCompletionRequest, turns: readonly ShellTurn[]) {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== "user") continue;
    const turn = turns.findLast(({when}) => textOf(message).includes(when));
    if (turn !== undefined) return {turn, messages: messages.slice(at + 1)};
  }
  return null;
}

function textOf({content}: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("\n");
}
