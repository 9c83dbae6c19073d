/** Tells the demo on a terminal or in a log: headings with the time, and a run's own lines put under them as they come. */
import picocolors from "picocolors";

export interface Teller {
  /** `at`: when it happened, as `performance.now()` gives it; default: now */
  heading(text: string, at?: number): void;
  line(text: string): void;
  /** text that somebody else wrote, behind a bar */
  quote(text: string): void;
  /** Takes a run's output as it comes, in any pieces. */
  hear(text: string): void;
  /** Resolves when everything heard so far has been told. */
  told(): Promise<void>;
}

/** Nothing is ever taken back from the screen, so that a log shows the same as a terminal. */
export function openTeller(options: {
  write: (text: string) => void;
  /** waits for the prompt that the agent gets as its n-th; null when none comes */
  prompt: (attempt: number) => Promise<string | null>;
  /** what GitHub has seen of the bot once the request is admitted */
  greeting: () => string;
}): Teller {
  const {bold, cyan, dim} = picocolors;
  const started = performance.now();
  let headings = 0;
  let rest = "";
  let queue = Promise.resolve();

  const line = (text: string) => options.write(`   ${text}\n`);
  const teller: Teller = {
    heading(text, at = performance.now()) {
      headings += 1;
      const seconds = ((at - started) / 1000).toFixed(1);
      options.write(`\n${bold(cyan(`${headings} ${text}`))}  ${dim(`${seconds} s`)}\n`);
    },
    line,
    quote: (text) => text.split("\n").forEach((one) => void line(`${dim("│")} ${one}`)),
    hear(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      const at = performance.now();
      for (const one of lines.filter((heard) => heard.trim() !== "" && !heard.startsWith("::"))) {
        queue = queue.then(() => retell({...options, line: one, at, teller}));
      }
    },
    told: () => queue,
  };
  return teller;
}

interface Heard {
  readonly line: string;
  readonly at: number;
  readonly teller: Teller;
  readonly prompt: (attempt: number) => Promise<string | null>;
  readonly greeting: () => string;
}

/** One line of the product's log, in its place in the story. */
async function retell(options: Heard): Promise<void> {
  const {line, at, teller} = options;
  const {dim, green, red, yellow, bold} = picocolors;
  const [mark = ""] = line.split(" ", 1);
  const words = line.slice(mark.length + 1);
  const fix = /^Attempt (\d+): the results of the checks go back/.exec(words)?.[1];
  if (mark === "🤖" && fix !== undefined) return retellFix({attempt: Number(fix), ...options});
  if (mark === "🤖" && words.startsWith("Turn ")) {
    teller.line(`🤖 ${words.replace(/^Turn \d+: /, "")}`);
    return teller.heading("The bot verifies, on a fresh checkout of what the agent left", at);
  }
  if (mark === "🤖") return teller.heading("The agent works: pi, with a scripted model", at);
  if (mark === "📌") return teller.heading("Exactly the verified tree is published", at);
  if (mark === "📦") return teller.line(dim(`📦 meanwhile: ${words}`));
  if (mark === "💬") return teller.line(options.greeting());
  if (mark === "---") return;
  if (mark === "⚖️") return teller.line(bold(`⚖️  ${words}`));
  const paint = {"✅": green, "❌": red, "⚠️": yellow, "⏭️": dim, "📋": String}[mark];
  // What is left is the agent's own tool calls.
  teller.line(paint?.(line) ?? `${dim("→")} ${line}`);
}

/** Why it was red, and the beginning of the prompt that says so to the agent. */
async function retellFix(options: Heard & {attempt: number}): Promise<void> {
  const {teller} = options;
  const prompt = (await options.prompt(options.attempt)) ?? "(no prompt reached the model)";
  for (const {title, lines} of failures(prompt)) {
    teller.line(picocolors.bold(title));
    teller.quote(lines.join("\n"));
  }
  teller.heading("The failures go back into the same session", options.at);
  teller.quote([...prompt.split("\n").slice(0, 6), picocolors.dim("…")].join("\n"));
}

/** Of each failing stage in a fix prompt: its title, and the few lines of its output that say most. */
function failures(prompt: string): {title: string; lines: string[]}[] {
  const parts = prompt.matchAll(/^### (.+)\n[\s\S]*?<output[^>]*>\n([\s\S]*?)\n<\/output/gm);
  return [...parts].map(([, title = "", output = ""]) => {
    const lines = output.split("\n").filter((line) => line.trim() !== "");
    const telling = lines.filter((line) => /\berror\b|Error:|\bFAIL\b/.test(line));
    return {title, lines: (telling.length > 0 ? telling : lines).slice(0, 4)};
  });
}
