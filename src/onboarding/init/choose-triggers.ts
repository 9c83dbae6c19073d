/** Reads `assay init --on`: the optional triggers of the workflow. */
import {ok, type Result, refused} from "../../record/words.ts";
import {DEFAULT_LABEL} from "../../request/default-phrase.ts";
import {TRIGGER_OPTIONS} from "../../request/triggers.ts";
import {isPlainPhrase} from "./start-condition.ts";

/** `reviews,label` as `["reviews", "label:assay"]`; the failure is the mistake in words. */
export function chooseTriggers(text: string): Result<string[], string> {
  const parts = text.split(",").map((part) => part.trim());
  const chosen: string[] = [];
  for (const part of parts.filter((one) => one !== "")) {
    const [word = "", name = word === "label" ? DEFAULT_LABEL : ""] = part.split(":", 2);
    if (!TRIGGER_OPTIONS.includes(word)) return refused(`--on accepts ${TRIGGER_OPTIONS.join(", ")}, and not ${part}`);
    if (["label", "assignment"].includes(word) ? name.trim() === "" : part !== word)
      return refused(`--on accepts label:NAME and assignment:LOGIN, and no other names, so not ${part}`);
    if (!isPlainPhrase(name)) return refused("--on accepts only names of letters, digits, spaces and @ / ! # . + _ -");
    chosen.push(name === "" ? word : `${word}:${name}`);
  }
  return ok(chosen);
}
