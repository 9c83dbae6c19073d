/** Compares the files that tests list to make cases of them: patterns of paths, and conditions about names. */
import {selects} from "../gate/selected-tests.ts";
import {compareLines} from "../source/line-changes.ts";

const LISTS =
  /\breaddir\w*\(|\bi?[gG]lob\w*\(|\blistdir\(|\biterdir\(|\bscandir\(|\bFiles\.(?:list|walk)\(|\bReadDir\(|\bread_dir\(/;
const CONDITIONS = /&&|\band\b|\.filter\(|\bif\b|\.slice\(|\.splice\(|!(?!=)|\bnot\b|\]\s*\[|\[\d*:\d*\]/g;
const PATTERN = /["'`]([^"'`\n]*\*[^"'`\n]*)["'`]/g;

/** What the tests read less; null if they read as many files as before. */
export function listsFewerFiles(before: string, after: string): string | null {
  const {added, removed} = compareLines(before, after);
  const lists = (lines: typeof added) => lines.map(({text}) => text).filter((text) => LISTS.test(text));
  const [gone, fresh] = [lists(removed), lists(added)];
  if (gone.length === 0 || fresh.length !== gone.length) return null;
  const count = (texts: readonly string[]) => texts.join("\n").match(CONDITIONS)?.length ?? 0;
  if (count(fresh) > count(gone)) return "under a further condition";
  const patterns = (texts: readonly string[]) => [...texts.join("\n").matchAll(PATTERN)].map(([, one = ""]) => one);
  const narrower = patterns(fresh).find((one) =>
    patterns(gone).some((wide) => wide !== one && selects([wide], one.replaceAll("*", "x"))),
  );
  return narrower === undefined ? null : `that fit \`${narrower}\``;
}
