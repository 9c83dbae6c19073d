/** Counts the assertions of tests that no parser reads, and the commands of shell tests: fewer of them are a note for people. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {languageOf} from "../../test-code/languages.ts";
import {readSource} from "../../test-code/read-source.ts";
import {commandsIn, PASSES} from "../commands/command-fates.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isOtherTest, isOtherTestName, isShellTest} from "../source/kinds.ts";
import {isUnread} from "./compare-tests.ts";
import {canRead} from "./support-code.ts";

const ASSERTION = /\b(?:assert|refute|expect|should|must|EXPECT_|ASSERT_|REQUIRE|CHECK|XCT)\w*|#expect\b/g;

const countIn = (text: string | null): number => text?.match(ASSERTION)?.length ?? 0;

/** In a language without a reader, with errors of syntax, or with macros that the parser does not know. */
const isNotRead = (file: InspectedFile): boolean =>
  isUnread(file) === "syntax" ||
  (isOtherTest(file.basePath) && languageOf(file.basePath) === null) ||
  (canRead(file) && readSource(file.basePath, file.before).isPartial);

/** Commands of a shell test that can fail. */
const commandsOf = (text: string | null): number =>
  commandsIn(text ?? "").filter(({words: [name = ""]}) => !PASSES.test(name)).length;

export function findInUnread({files}: InspectedChange): IntegrityFinding[] {
  const all = files.filter((file) => isNotRead(file) && file.before !== null);
  const lost = all.filter(({before, after}) => countIn(after) < countIn(before));
  const total = files.filter(isNotRead).reduce((sum, {before, after}) => sum + countIn(after) - countIn(before), 0);
  const fix = "Restore the tests, or say in the pull request why they check less.";
  const counts = lost.slice(0, 1).map(({path, before, after}): IntegrityFinding => {
    const message = `No parser reads these tests, and they have ${countIn(before) - countIn(after)} assertions fewer`;
    return {check: "weakened-tests", level: "note", path, line: null, message, fix};
  });
  const renamed = all.filter(({status, path, basePath}) => {
    const isSame = path.split(".").at(-1) === basePath.split(".").at(-1);
    return status === "renamed" && isSame && isOtherTestName(basePath) && !isOtherTestName(path);
  });
  const lostNames = renamed.map(({path}): IntegrityFinding => {
    const message = "The new name of the file is not one of a test";
    return {check: "removed-tests", level: "flag", path, line: null, message, fix};
  });
  const shellTests = files.filter(({path, basePath}) => isShellTest(path) || isShellTest(basePath));
  const moreCommands = shellTests.reduce((sum, {before, after}) => sum + commandsOf(after) - commandsOf(before), 0);
  const kept = shellTests.filter(({before, after}) => before !== null && after !== null);
  const lostCommands = kept.flatMap(({path, before, after}): IntegrityFinding[] => {
    const lost = commandsOf(before) - commandsOf(after);
    const message = `The shell test has ${lost} ${lost === 1 ? "command" : "commands"} fewer`;
    return lost <= 0 ? [] : [{check: "weakened-tests", level: "note", path, line: null, message, fix}];
  });
  return [...(total < 0 ? counts : []), ...lostNames, ...(moreCommands < 0 ? lostCommands.slice(0, 1) : [])];
}
