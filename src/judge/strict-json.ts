/** Reads a model's answer as exactly one JSON object of a known form. Everything else is malformed. */
import {visit} from "jsonc-parser";
import type {z} from "zod";
import {ok, type Result, refused} from "../record/words.ts";

/** The limit for an answer. Complete answers are far shorter. */
const MAX_CHARS = 64_000;
const MAX_DEPTH = 20;

/**
 * The parsed answer, or why it is malformed. One code fence around the object is accepted, because many models add it.
 * Text before or after it, two objects, and a key that occurs twice are not: they would leave open which answer counts.
 */
export function readStrictJson<T>(answer: string, schema: z.ZodType<T>): Result<T, string> {
  if (answer.length > MAX_CHARS) return refused(`the answer has ${answer.length} characters`);
  const text = withoutFence(answer.trim());
  if (text === "") return refused("the answer is empty");
  if (!text.startsWith("{")) return refused("the answer is not a JSON object");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused("the answer is not one JSON object");
  }
  if (isDeep(value)) return refused("the answer is nested too deeply");
  if (hasRepeatedKey(text)) return refused("a key of the answer occurs twice");
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const [first] = parsed.error.issues;
  return refused(`the answer does not have the required form (at \`${first?.path.join(".") ?? ""}\`)`);
}

function withoutFence(text: string): string {
  const [, inner] = /^```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```$/.exec(text) ?? [];
  return inner?.trim() ?? text;
}

/** `visit` recurses, and throws at some thousand levels. A complete answer has four. */
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}

function hasRepeatedKey(text: string): boolean {
  const open: Set<string>[] = [];
  let isRepeated = false;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key) => {
      const keys = open.at(-1);
      if (keys?.has(key) || key === "__proto__") isRepeated = true;
      keys?.add(key);
    },
  });
  return isRepeated;
}
