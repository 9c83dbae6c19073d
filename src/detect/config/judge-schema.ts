/** The keys of the entry `judge` of `verify.json`. */
import {z} from "zod";
import {JUDGE_PROVIDERS} from "./judge-providers.ts";

/** No absolute path, no `..`, no backslash and no NUL. */
const INSIDE = /^(?!\/)(?!(.*\/)?\.\.(\/|$))[^\\\u0000]+$/;

export const judgeSchema = z
  .strictObject({
    enabled: z.boolean().describe("default: false"),
    provider: z
      .enum(JUDGE_PROVIDERS)
      .describe("agent (default): a fresh session of the coding agent without tools; else an HTTP endpoint"),
    model: z.string().trim().min(1).max(200).describe("needed for every provider but agent"),
    effect: z
      .enum(["show", "ask-again", "hold"])
      .describe(
        "what an objection does: it is shown; it goes to the agent (default); it goes there, then holds the change",
      ),
    samples: z.int().min(1).max(5).describe("how often each change is judged; default: 1"),
    maxAttempts: z.int().min(1).max(5).describe("opinions per run, with the first; default: 3"),
    timeoutSeconds: z.int().min(1).max(600).describe("of each call; default: 60"),
    when: z.enum(["verified", "always"]).describe("always: answers without a change too; default: verified"),
    rules: z
      .array(z.string().min(1).max(500).regex(INSIDE, "must be a file inside the repository, relative to its root"))
      .max(10)
      .describe("files of the base commit with rules for every change; default: AGENTS.md"),
  })
  .partial();
