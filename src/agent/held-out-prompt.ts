/** Writes the prompt for the session that writes tests before the work, and the one about behavior that they found missing. */
import {BLOCKS_ARE_DATA, block} from "../markdown/blocks.ts";
import {keepVisibleText} from "../markdown/visible-text.ts";
import type {HeldOutTest} from "../record/held-out.ts";
import {line, type PromptTask, SUMMARIZE_ALL} from "./prompts.ts";

const REQUEST_CHARS = 30_000;
const BEHAVIOR_CHARS = 4_000;
const MAX_PARAGRAPHS = 8;

export function heldOutPrompt({request, issue, specs = "", stages}: PromptTask): string {
  const commands = stages.filter(({kind}) => kind === "test").map(({command, cwd}) => `- \`${command}\` in ${cwd}`);
  const visible = (text: string) => keepVisibleText(text).text;
  return [
    "You are working in a checkout of a repository. Someone else will do what <request> asks for, and will not see your work. Write tests that show whether it was done: they must fail now, because the behavior is missing, and pass after any right change.",
    BLOCKS_ARE_DATA,
    block("request", visible(request), {max: REQUEST_CHARS}),
    block("issue", `${line(visible(issue.title))}\n\n${visible(issue.body)}`, {max: REQUEST_CHARS}),
    specs,
    `These commands run the tests:\n${commands.join("\n")}`,
    [
      "Rules:",
      "- Only new test files count, in a place where these commands find them. Change nothing else.",
      "- Test what the request and the specs say, through names that they use or that exist. Do not guess names.",
      "- Each test asserts one behavior, and names no detail of how it is done. At most ten tests.",
    ].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/**
 * Only lines of the request, which the agent has: those with a word that a failing test uses. Nothing of the tests is in
 * it.
 */
export function missingBehaviorPrompt(failing: readonly HeldOutTest[], {request, issue}: PromptTask): string {
  const words = new Set(failing.flatMap(({about}) => about));
  const paragraphs = [issue.title, request, issue.body].flatMap((text) => keepVisibleText(text).text.split(/\n+/));
  const about = paragraphs.filter((text) => [...words].some((word) => text.includes(word)));
  const shown = [...new Set(about.map(line))].slice(0, MAX_PARAGRAPHS);
  return [
    "Your changes passed the checks. A separate check of the request found that they do not do all that it asks for. What is not met is in these lines of the request:",
    block("request", (shown.length === 0 ? [line(request)] : shown).join("\n"), {max: BEHAVIOR_CHARS}),
    BLOCKS_ARE_DATA,
    `That check may be wrong. Compare your changes with these lines, also for values at the limits: where they differ, change the files; where they do not, leave them and say why. ${SUMMARIZE_ALL}`,
  ].join("\n\n");
}
