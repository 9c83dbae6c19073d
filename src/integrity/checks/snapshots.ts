/** Check: recorded expectations that change without the code that they record. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {isTestFile} from "../changed-tests/new-tests.ts";
import type {InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {DATA, DATA_SETTINGS, GOLDEN, isCodePath, isSource, SNAPSHOT} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

const MANIFEST =
  /(?:^|\/)(?:package(?:-lock)?\.json|.*\.lock|.*-lock\.yaml|go\.(?:mod|sum)|Cargo\.toml|pyproject\.toml|requirements[^/]*\.txt|pom\.xml)$/;
/** Files that a product reads, such as its grammar, templates and styles. */
const RESOURCE =
  /^(?!.*(?:^|\/)\.).*\.(?:json[5c]?|ya?ml|toml|xml|html?|css|s[ac]ss|less|svg|graphql|proto|sql|hbs|ejs)$/;

/** People do not read longer changes of recordings in full. */
const MANY_LINES = 200;

export const snapshots: IntegrityCheck = {
  name: "snapshots",
  find(change) {
    return changedRecordings(change.files, change.files.some(isCause));
  },
};

function changedRecordings(files: readonly InspectedFile[], hasCause: boolean): IntegrityFinding[] {
  const changedSnapshots = files.filter(({path, before}) => SNAPSHOT.test(path) && before !== null);
  const [first] = changedSnapshots;
  if (first === undefined) return changedData(files, hasCause);
  const removedCount = changedSnapshots.reduce((sum, file) => sum + lostLines(file), 0);
  if (removedCount === 0) return [];
  const level = !hasCause || removedCount > MANY_LINES ? "flag" : "note";
  const message = hasCause
    ? `${removedCount} recorded lines changed, in ${changedSnapshots.length} snapshot files`
    : `${removedCount} recorded lines changed, but no code that they record`;
  const fix = "Check that each difference in the changed snapshots is intended.";
  return [{check: "snapshots", level, path: first.path, line: null, message, fix}];
}

/** Lines that only have another order count, too. */
function lostLines({before, after}: InspectedFile): number {
  const {added, removed} = compareLines(before, after);
  if (removed.length > 0 || added.length > 0 || before === null || after === null) return removed.length;
  const lines = after.split("\n");
  return before.split("\n").filter((line, index) => line !== lines[index]).length;
}

/** Code, or what else can change a recorded result. */
function isCause({path}: InspectedFile): boolean {
  if (isSource(path) || MANIFEST.test(path)) return true;
  return (
    RESOURCE.test(path) && !isTestFile({path}) && ![DATA_SETTINGS, SNAPSHOT, DATA, GOLDEN].some((one) => one.test(path))
  );
}

/** Changed data is only a note if code changes too, because the data may have to follow the code. */
function changedData(files: readonly InspectedFile[], hasCause: boolean): IntegrityFinding[] {
  if (!hasCause && files.some(({path}) => isCodePath(path))) return [];
  return files.flatMap((file) => {
    if (!(DATA.test(file.path) || GOLDEN.test(file.path)) || DATA_SETTINGS.test(file.path) || file.before === null)
      return [];
    // An added item also adds a comma to the item before it.
    const items = (text: string | null) => text?.replace(/,$/gm, "") ?? null;
    const lines = compareLines(items(file.before), items(file.after));
    const removed = lines.removed.length;
    if (removed === 0) return [];
    const isShorter = removed > lines.added.length;
    const what = `${removed} ${removed === 1 ? "line" : "lines"} of data that tests read`;
    const message = `${what} ${file.after === null ? "are gone" : "changed"}${hasCause ? "" : ", and no code"}`;
    const fix = "Check that the code was right before: tests must not follow a mistake.";
    return [
      {
        check: "snapshots",
        level: hasCause || !(isShorter || GOLDEN.test(file.path)) ? "note" : "flag",
        path: file.path,
        line: null,
        message,
        fix,
      } satisfies IntegrityFinding,
    ];
  });
}
