/** Finds shell tests that check less. They have no names, so files are compared. A part of the check `scripts`. */

import type {IntegrityFinding} from "../../record/finding.ts";
import {partsOf} from "../../tools/all-integrity.ts";
import {looserComparison} from "../gate/limits.ts";
import {negatedCommand} from "../gate/shell-settings.ts";
import {endsAlike, lostFailure, lostInPipe} from "../gate/shell-status.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";
import {findingAt} from "./script-finding.ts";

const HELPER = /(?:lib|helpers?|common|utils?|setup|functions?|assert\w*)[^/]*\.\w+$|\.inc$/;
/** Lines that decide whether a test fails. */
const DECIDES =
  /\b(?:exit|return)\b|(?:^|[\s!;&|])(?:\[{1,2}|test|diff|cmp|grep)\s|\b\w*(?:fail|error|status|rc)\w*=|\$\?|\bset\s+[-+]\w*e|\bassert|\brun\s+(?:-\d+|!)/;
const PASSES =
  /(?:\|\||&&|\bthen)\s*(?:exit|return)\s+0\s*;?\s*$|\bdiff\b.*\s(?:-\w*[IwbB]\w*|--ignore[\w-]*)(?=\s|=)|^\s*skip\b|^\s*set\s+\+\w*e|\|\|\s*(?:true|:)\s*(?:$|[;}]|\|\||&&)|-ge\s+0\s*\]|==\s*\*\s*\]\]/;
const SILENT = /^\s*(?:#|echo\b|printf\b|$)/;

export function shellTestFindings(file: InspectedFile): IntegrityFinding[] {
  if (file.before === null || file.after === null) return [];
  const changes = compareLines(file.before, file.after);
  const added = changes.added.filter(({text}) => !SILENT.test(text));
  const removed = changes.removed.filter(({text}) => !SILENT.test(text));
  const decides = (lines: typeof added) => lines.filter(({text}) => DECIDES.test(text)).length;
  const flag = (message: string) => [findingAt({file, level: "flag", message, text: added[0]?.text ?? null})];
  const failure = isHarnessed(file.path) ? null : lostFailure(file.before, file.after);
  if (failure !== null) return flag(`The shell test fails in fewer cases: ${failure}`);
  const looser = looserComparison(file.before, file.after);
  if (looser !== undefined) return flag(`\`${looser.slice(0, 80)}\` accepts more values`);
  const negated = negatedCommand(file.before, file.after);
  if (negated !== null) return flag(`The shell test: ${negated}`);
  const piped = HELPER.test(file.path) ? lostInPipe(file.before, file.after) : null;
  if (piped !== null) return flag(`A pipe loses what the shell test records in \`${piped}\``);
  if (HELPER.test(file.path) && decides(removed) > 0) return flag("What decides whether shell tests fail is changed");
  const passing = (lines: typeof added) => lines.filter(({text}) => PASSES.test(text));
  const place = passing(added)[0];
  if (place !== undefined && passing(added).length > passing(removed).length)
    return flag(`\`${place.text.trim()}\` lets the shell test pass`);
  if (earlyExits(file.after) > earlyExits(file.before) || endings(file.after) > endings(file.before))
    return flag("The shell test ends before its last command");
  const tests = (text: string) => text.match(/^@test\b/gm)?.length ?? 0;
  if (tests(file.after) < tests(file.before)) return flag("The shell test has fewer tests");
  const lost = removed.length;
  if (lost > 0 && added.length === 0) return flag(`The shell test has ${lost} ${lost === 1 ? "line" : "lines"} fewer`);
  const reduced = added.find(({text}) => COMPARED.test(text) && REDUCES.test(text));
  if (
    reduced !== undefined &&
    removed.some(({text}) => COMPARED.test(text)) &&
    countIn(added, REDUCES) > countIn(removed, REDUCES)
  )
    return flag("The shell test compares a part of the output");
  const comparisons = (lines: typeof added) => countIn(lines, COMPARES);
  const isOnlyEnd =
    file.before.trimEnd().endsWith(removed[0]?.text ?? "\0") && removed.length === 1 && added.length === 1;
  if (isOnlyEnd && endsAlike(file.before, file.after)) return [];
  if (comparisons(removed) > comparisons(added) || countIn(removed, ENDS_FAILED) > countIn(added, ENDS_FAILED))
    return flag("The shell test compares less, or fails in fewer cases");
  if (decides(removed) > decides(added)) return flag("The shell test has fewer lines that can fail");
  const call = removed.length > added.length ? null : lostCall(removed, file.after);
  return call === null || callsOf(call, added) > callsOf(call, removed)
    ? []
    : flag(`The shell test does not examine \`${call}\` any more`);
}

/** A command with arguments whose output was compared, and which is not in the test now. */
function lostCall(removed: readonly ChangedLine[], after: string): string | null {
  const calls = removed
    .filter(({text}) => DECIDES.test(text))
    .flatMap(({text}) =>
      [...text.matchAll(/\$\(\s*([\w./-]+(?:\s+[\w./:=-]+)+)\s*\)/g)].map((match) => match[1] ?? ""),
    );
  const text = after.replace(/["']/g, "");
  return calls.find((one) => !text.includes(one)) ?? null;
}

/** How many lines call the same command. */
const callsOf = (call: string, lines: readonly ChangedLine[]): number =>
  lines.filter(({text}) => text.includes(`(${call.split(/\s/, 1)[0]} `)).length;

/** A harness runs the functions of these files, so the end of the file decides nothing. */
const isHarnessed = (path: string): boolean => new RegExp(`\\.(?:${partsOf("shellEnding", /inc/)})$`).test(path);

const COMPARED = /(?:^|[\s;&|!(])(?:\[{1,2}|test|diff|cmp|assert\w*)\s/;
/** What counts, cuts or sorts, so that other values give the same. */
const REDUCES = /\bgrep\s+(?:\S+\s+)*?-\w*[cv]|\b(?:wc|head|tail|cut|sort|uniq|sed|awk)\s|\btr\s+-\w*[ds]|\$\{#\w/g;

const COMPARES = /(?<=\s)(?:==?|!=|=~|-eq|-ne|-lt|-gt|-le|-ge)(?=\s)|\b(?:diff|cmp|grep)\b/g;
const ENDS_FAILED = /\b(?:exit|return)\s+(?:[1-9]|"?\$)/g;

const countIn = (lines: readonly {readonly text: string}[], pattern: RegExp): number =>
  lines.reduce((sum, {text}) => sum + (text.match(pattern)?.length ?? 0), 0);

/** How often a script calls the function that ends it, such as `finish`. */
function endings(text: string): number {
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  return /^[a-z_]\w*$/.test(last) && !/^(?:fi|done|esac|wait|true)$/.test(last)
    ? (text.match(new RegExp(String.raw`(?<=^|[\s;&|])${last}(?=[\s;&|]|$)(?!\s*\()`, "gm"))?.length ?? 0)
    : 0;
}

/** Counts the unconditional successful exits that other commands follow. */
function earlyExits(text: string): number {
  const commands = text.split("\n").filter((line) => /^[^\s#}]/.test(line));
  return commands.slice(0, -1).filter((line) => /^(?:exit|return)(?:\s+0)?\s*;?\s*(?:#.*)?$/.test(line)).length;
}
