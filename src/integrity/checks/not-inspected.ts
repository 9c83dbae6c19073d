/** Check: changed tests and configuration that no check can read, because they are binary, too large or too many. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {SETTING_RULES} from "../gate/setting-rules.ts";
import type {IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isTestData, isTestPath} from "../source/kinds.ts";
import {isUnread} from "../tests/compare-tests.ts";

const COMMAND_FILES = /(?:^|\/)(?:package\.json|[Mm]akefile|[^/]+\.(?:mk|sh))$|^\.github\//;

export const notInspectedFiles: IntegrityCheck = {
  name: "not-inspected",
  find({unread = [], files}) {
    const overLimit = files.filter((file) => isUnread(file) === "limit").map(({path}) => path);
    return [...unread.filter(isReadByChecks), ...overLimit].map((path): IntegrityFinding => {
      const isGate = isTestPath(path) || !isCodePath(path);
      return {
        check: "not-inspected",
        level: isGate ? "flag" : "note",
        path,
        line: null,
        message: "The file is binary, too large or one of too many, so it was not inspected",
        fix: "Read its changes yourself before you merge it.",
      };
    });
  },
};

function isReadByChecks(path: string): boolean {
  if (isGenerated(path) || isTestData(path)) return false;
  return isCodePath(path) || COMMAND_FILES.test(path) || SETTING_RULES.some(({files}) => files.test(path));
}
