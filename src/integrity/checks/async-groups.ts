/** Finds groups of tests that became asynchronous, so that tests are missed. A part of `removed-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {partsOf} from "../../tools/all-integrity.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";
import {languageOf} from "../source/languages.ts";
import {closingBracket, maskSource} from "../source/mask.ts";

const GROUP =
  /(?<![\w$.])(?:describe|suite|context)(?:\s*\.\s*\w+)*\s*\([^()]{0,300}?,\s*async\b[^(){}]{0,100}(?:\([^(){}]{0,300}\))?[^(){}]{0,100}\{/g;
const TEST = /(?<![\w$.])(?:it|test|specify|describe|context)\b(?:\s*\.\s*\w+)*\s*\(/;
const WAITS = new RegExp(`["'](?:${partsOf("awaitsGroups")})["']`);

/** Most runners do not wait for the callback of a group: they miss the tests behind its first `await`. */
export function asyncGroups({path, basePath, before, after}: InspectedFile): IntegrityFinding[] {
  if (before === null || after === null || !isTestPath(path) || !/\basync\b/.test(after) || WAITS.test(after))
    return [];
  const earlierCount = groupsWithLateTests(basePath, before).length;
  const groups = groupsWithLateTests(path, after);
  const [at] = groups;
  if (at === undefined || groups.length <= earlierCount) return [];
  const line = after.slice(0, at).split("\n").length;
  const message =
    "The tests behind the `await` of this group are not collected: the runner does not wait for the group";
  const fix = "Load what the tests need in a hook, or before the group.";
  return [{check: "removed-tests", level: "flag", path, line, message, fix}];
}

/** The positions of asynchronous groups that wait for something before a test. */
function groupsWithLateTests(path: string, text: string): number[] {
  const language = languageOf(path);
  if (language?.name !== "javascript") return [];
  const {code} = maskSource(text, language);
  return [...code.matchAll(GROUP)].flatMap(({0: head, index}) => {
    const from = index + head.length;
    const body = code.slice(from, closingBracket(code, from - 1));
    const wait = body.search(/\bawait\b/);
    const first = body.search(TEST);
    return wait >= 0 && wait < first ? [index] : [];
  });
}
