/** Keeps the text of the agent's conversation in one file of Assay, wherever the agent itself stores it. */

import {readdir, readFile, realpath, stat} from "node:fs/promises";
import {dirname, join, relative} from "node:path";
import {block} from "../markdown/blocks.ts";
import {parseJson} from "../record/parse-json.ts";
import type {ConversationStore} from "./adapters/adapter.ts";
import {isId} from "./adapters/events.ts";
import {readAgentFile, writeAgentFile} from "./agent-files.ts";

const MAX_FILES = 20_000;
/** The maximum length of earlier prompts and answers in a prompt, for an agent without a memory. */
const TRANSCRIPT_CHARS = 60_000;

interface ConversationPlace {
  readonly store: ConversationStore;
  /** Assay's file */
  readonly file: string;
  /** the agent's working folder */
  readonly folder: string;
  readonly configFolder: string;
  /** runs the agent's program with these arguments; null if it failed */
  readonly runAgent: (args: readonly string[]) => Promise<string | null>;
}

interface NextTurn {
  /** the agent's name for the conversation; null starts a new one */
  readonly id: string | null;
  /** the text so far */
  readonly earlier: string;
  readonly prompt: string;
}

export interface Conversation {
  /** Prepares the next turn. Rejects if the stored text cannot be prepared. */
  begin(prompt: string): Promise<NextTurn>;
  /** Copies the text of the finished turn into Assay's file. */
  keep(turn: {readonly id: string; readonly prompt: string; readonly answer: string}): Promise<void>;
}

/** A text that is not usable for this agent starts a new conversation. */
export function openConversation(place: ConversationPlace): Conversation {
  const {store, file} = place;
  let id: string | null = null;
  return {
    async begin(prompt) {
      const earlier = await readAgentFile(file);
      if (store.kind === "transcript") return {id: null, earlier, prompt: withTranscript(earlier, prompt)};
      // An agent's database is removed with its settings before each turn.
      if (earlier !== "" && (id === null || store.kind === "commands")) id = await restore(place, earlier);
      return {id, earlier, prompt};
    },
    async keep(turn) {
      // The id comes from the agent's output, and becomes a part of a pattern and of a command line.
      const ownId = isId(turn.id) ? turn.id : "";
      if (ownId !== "") id = ownId;
      await save(place, {...turn, id: ownId});
    },
  };
}

/** Restores a stored text for the agent. Returns the agent's name for it, or null if there is none or it needs none. */
async function restore({store, file, folder, configFolder, runAgent}: ConversationPlace, text: string) {
  switch (store.kind) {
    case "file": {
      const resumable = store.resume(text, folder);
      if (resumable !== text) await writeAgentFile(dirname(file), file, resumable);
      return null;
    }
    case "folder": {
      const completeText = completeLines(text);
      const target = store.place(completeText, await realpath(folder));
      if (target === null || target.path === null) return target?.id ?? null;
      await writeAgentFile(configFolder, join(configFolder, target.path), completeText);
      return target.id;
    }
    case "commands": {
      const adaptedText = store.adapt(text, await realpath(folder));
      if (adaptedText === null) return null;
      await writeAgentFile(dirname(file), file, adaptedText.text);
      return (await runAgent(store.load(file))) === null ? null : adaptedText.id;
    }
    case "transcript":
      return null;
  }
}

async function save(
  place: ConversationPlace,
  {id, prompt, answer}: Parameters<Conversation["keep"]>[0],
): Promise<void> {
  const {store, file, configFolder, runAgent} = place;
  if (store.kind === "file") return;
  if (store.kind === "transcript") {
    const earlier = await readAgentFile(file);
    return writeAgentFile(dirname(file), file, `${earlier}${JSON.stringify({prompt, answer})}\n`);
  }
  if (id === "") return;
  if (store.kind === "commands") {
    const text = await runAgent(store.save(id));
    if (text !== null) await writeAgentFile(dirname(file), file, text);
    return;
  }
  const path = await largestFile(configFolder, store.pattern(id));
  if (path !== null) await writeAgentFile(dirname(file), file, await readFile(path));
}

/** Some agents leave a second file for the same conversation, with its first lines only. */
async function largestFile(folder: string, pattern: RegExp): Promise<string | null> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true}).catch(() => []);
  // not a link, which may lead anywhere
  const files = entries.slice(0, MAX_FILES).filter((entry) => entry.isFile());
  const paths = files
    .map(({parentPath, name}) => relative(folder, join(parentPath, name)))
    .filter((path) => pattern.test(path));
  const filesWithSize = await Promise.all(
    paths.map(async (name) => ({path: join(folder, name), size: (await stat(join(folder, name))).size})),
  );
  return filesWithSize.sort((a, b) => b.size - a.size)[0]?.path ?? null;
}

/** An agent that was killed may leave half a line. */
function completeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

function withTranscript(earlier: string, prompt: string): string {
  const blocks = earlier.split("\n").flatMap((line) => {
    const turn = parseTurn(line);
    return turn === null ? [] : [`You were asked:\n${turn.prompt}\n\nYou answered:\n${turn.answer}`];
  });
  if (blocks.length === 0) return prompt;
  const memory = block("output", blocks.join("\n\n"), {max: TRANSCRIPT_CHARS});
  return `This continues a conversation. Its earlier part:\n\n${memory}\n\nNow:\n\n${prompt}`;
}

function parseTurn(line: string): {prompt: string; answer: string} | null {
  const turn = parseJson(line);
  if (typeof turn !== "object" || turn === null || !("prompt" in turn) || !("answer" in turn)) return null;
  return {prompt: String(turn.prompt), answer: String(turn.answer)};
}
