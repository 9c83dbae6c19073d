/** Completes the message of a failure from the output if the message only announces values: "to be strictly equal:". */
import type {Diagnostic, StageResult} from "../record/evidence.ts";

const MAX_VALUES = 200;
const STACK_FRAME = /^(?:at |❯ |› )/;

/**
 * The message with the next line of the output, if the message ends with a colon. The signature of the failure stays as
 * it is.
 */
export function wholeMessage({message, testId}: Diagnostic, {excerpt}: Pick<StageResult, "excerpt">): string {
  if (!message.endsWith(":")) return message;
  const lines = excerpt.split("\n").map((line) => line.trim());
  // Tests may fail with the same first line, so the search starts at the test's name.
  const name = testId === undefined ? -1 : lines.findLastIndex((line) => line.includes(testId));
  const place = lines.findIndex((line, index) => index > name && line.endsWith(message));
  const values = place < 0 ? undefined : lines.slice(place + 1).find((line) => line !== "");
  const areValues = values !== undefined && values.length <= MAX_VALUES && !STACK_FRAME.test(values);
  return areValues ? `${message} ${values}` : message;
}
