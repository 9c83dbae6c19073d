/** Finds rules for a linter that are part of the repository and report less. A part of the check `weakened-tests`. */
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isTestPath} from "../source/kinds.ts";
import {failuresIn} from "../tests/support-code.ts";

const REPORTS = /\bcontext\.report\s*\(/;
/** A rule without a visitor. */
const EMPTY_RULE =
  /\bcreate\s*(?::\s*(?:\(\w*\)|\w+)\s*=>\s*\(\s*\{\s*\}\s*\)|(?:\(\w*\)|:\s*function\s*\(\w*\))\s*\{\s*(?:return\s*\{\s*\}\s*;?\s*)?\})/g;
const EARLY_RETURN = /\breturn\s*(?:;|\{\s*\}|null\b|undefined\b)|\breturn\s*$/gm;

/** What the rule does less than before; null if it does not. */
export function weakerLintRule(file: InspectedFile, change: InspectedChange): string | null {
  const {path, basePath, before, after} = file;
  if (!isCodePath(path) || before === null || after === null || isGenerated(path)) return null;
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  if (count(after, EMPTY_RULE) > count(before, EMPTY_RULE)) return "A lint rule has no visitor any more";
  if (!REPORTS.test(before)) return null;
  const [old, now] = [failuresIn(basePath, before), failuresIn(path, after)];
  if (now < old) return "A lint rule reports less than before";
  // Rules that are a product have tests of their own.
  if (now > old || hasChangedTest(file, change)) return null;
  if (count(after, EARLY_RETURN) > count(before, EARLY_RETURN)) return "A lint rule ends before it reports";
  if (count(after, /&&/g) > count(before, /&&/g)) return "A lint rule reports only under a further condition";
  const lost = examined(before).find(
    (name) => !new RegExp(String.raw`(?<!\w)${name.replace(/[^\w]/g, "\\$&")}(?!\w)`).test(after),
  );
  return lost === undefined ? null : `A lint rule does not examine \`${lost}\` any more`;
}

/** The nodes that a rule visits, and the texts that it compares with. */
const examined = (text: string): string[] =>
  [...text.matchAll(/^\s*["']?([A-Z]\w*)(?::exit)?["']?\s*(?:\(\w*\)\s*\{|:)|[=!]==?\s*["']([^"'\n]+)["']/gm)].map(
    ([, visited, compared]) => visited ?? compared ?? "",
  );

function hasChangedTest({path}: InspectedFile, {files}: InspectedChange): boolean {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return files.some((one) => isTestPath(one.path) && one.path.includes(stem));
}
