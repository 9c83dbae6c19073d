/** Asks a person at a terminal. */
import {createInterface} from "node:readline";

export interface Prompt {
  /** The choice that the answer names or begins; the first one for an empty answer, null after Ctrl-C or Ctrl-D. */
  ask<Choice extends string>(question: string, choices: readonly [Choice, ...Choice[]]): Promise<Choice | null>;
  close(): void;
}

/** Null where nobody can answer. The output of the command stays on stdout. */
export function openPrompt(): Prompt | null {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  // One reader for all questions, because it reads further than the first line.
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  const answers: (string | null)[] = [];
  let wake = () => {};
  const add = (answer: string | null) => {
    answers.push(answer);
    wake();
  };
  terminal.on("line", add);
  terminal.on("close", () => add(null));
  terminal.on("SIGINT", () => terminal.close());
  return {
    async ask(question, choices) {
      for (;;) {
        terminal.setPrompt(`${question} `);
        // After Ctrl-D, a prompt would open the input again.
        if (!answers.includes(null)) terminal.prompt();
        if (answers.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        const line = answers.shift() ?? null;
        if (line === null) return null;
        const answer = line.trim().toLowerCase();
        const named = answer === "" ? choices.slice(0, 1) : choices.filter((choice) => choice.startsWith(answer));
        const [choice] = named.filter((one) => named.length === 1 || one === answer);
        if (choice !== undefined) return choice;
        process.stderr.write(`Answer with ${choices.join(", ")}.\n`);
      }
    },
    close: () => terminal.close(),
  };
}
