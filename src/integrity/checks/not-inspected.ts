/** Check: changed tests and configuration that no check can read: for their format, or because they are too large or too many. */
import {posix} from "node:path";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {UnreadReason} from "../../test-code/facts.ts";
import {readSource} from "../../test-code/read-source.ts";
import {isConfiguration} from "../../tools/configuration-files.ts";
import {isUnreadBuild, isUnreadChecks} from "../../tools/integrity-names.ts";
import {canRead} from "../changed-tests/support-code.ts";
import type {InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isTestData, isTestPath} from "../source/kinds.ts";

const COMMAND_FILES = /(?:^|\/)(?:package\.json|[Mm]akefile|[^/]+\.(?:mk|sh))$|^\.github\//;

export const notInspectedFiles: IntegrityCheck = {
  name: "not-inspected",
  find({unread = [], files}) {
    const places = [
      ...unread.filter(isReadByChecks).map((path) => ({path, why: TOO_LARGE})),
      ...files.flatMap((file) => {
        const why = whyUnread(file);
        return why === null ? [] : [{path: file.path, why}];
      }),
    ];
    return places.map(({path, why}): IntegrityFinding => {
      const isGate = (isTestPath(path) || !isCodePath(path)) && !isUnreadBuild(posix.basename(path));
      return {
        check: "not-inspected",
        level: isGate ? "flag" : "note",
        path,
        line: null,
        message: `${why}, so it was not inspected`,
        fix: "Read its changes yourself before you merge it.",
      };
    });
  },
};

const TOO_LARGE = "The file is binary, too large or one of too many";
const REASONS: Readonly<Record<UnreadReason, string | null>> = {
  // Its lines are compared.
  syntax: null,
  limit: TOO_LARGE,
  "no-grammar": "The parser for the file is not loaded",
};

const NO_PARSER = "No parser reads this configuration";

function whyUnread(file: InspectedFile): string | null {
  const name = posix.basename(file.basePath);
  const isUnread = isUnreadChecks(name) || isUnreadBuild(name);
  if (isUnread && file.before !== null && file.before !== file.after && !isTestData(file.path)) return NO_PARSER;
  if (!canRead(file)) return null;
  const sides = [readSource(file.basePath, file.before), readSource(file.path, file.after)];
  return sides.map(({unread}) => (unread === null ? null : REASONS[unread])).find((why) => why !== null) ?? null;
}

function isReadByChecks(path: string): boolean {
  if (isGenerated(path) || isTestData(path)) return false;
  return isCodePath(path) || COMMAND_FILES.test(path) || isConfiguration(path);
}
