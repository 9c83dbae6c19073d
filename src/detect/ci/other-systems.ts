/** Commands that CI runs on other systems than Linux: the reasons, and one note for each command. */
import type {Note} from "../../record/plan.ts";

const OTHER_SYSTEM_REASON = /on (?:macOS and )?(?:Windows|macOS) only$|says `(windows|macos)`$/;
export const ON_BOTH_SYSTEMS = "CI runs it on macOS and Windows only";

/** True for a reason, or a note that ends with one, that holds only on another system. */
export const isElsewhere = (why: string): boolean => OTHER_SYSTEM_REASON.test(why);

/**
 * Drops contradicting notes on one command that CI runs on several systems: keeps the note that explains why it cannot
 * run on Linux, or one note for all the other systems.
 */
export function withoutContradictions<N extends Note & {readonly key: string}>(notes: readonly N[]): N[] {
  return notes.flatMap((note, i) => {
    if (!isElsewhere(note.text)) return [note];
    const notesOnCommand = notes.filter(({key}) => key === note.key);
    const isFirst = notes.findIndex(({key}) => key === note.key) === i;
    if (!notesOnCommand.every(({text}) => isElsewhere(text)) || !isFirst) return [];
    const texts = notesOnCommand.map(({text}) => text.toLowerCase());
    const isOnBoth = ["macos", "windows"].every((name) => texts.some((text) => text.includes(name)));
    return [isOnBoth ? {...note, text: note.text.replace(/(?<= skipped: ).*/s, ON_BOTH_SYSTEMS)} : note];
  });
}

/** The reason for a command that an earlier job also runs. */
export function systemsOf(earlier: string | null | undefined, why: string | null): string | null {
  const reasons = [earlier ?? "", why ?? ""];
  return reasons.every(isElsewhere) && reasons[0] !== reasons[1] ? ON_BOTH_SYSTEMS : why;
}
