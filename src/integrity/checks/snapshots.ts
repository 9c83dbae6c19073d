/** Check: recorded expectations that change without the code that they record. */
import type {IntegrityCheck} from "../source/inspected-change.ts";
import {isProductCode} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

const SNAPSHOT =
  /\.snap(?:\.\w+)?$|(?:^|\/)__snapshots__\/|\.snap\.new$|(?:^|\/)(?:goldens?|snapshots)\/|\.golden$|\.(?:approved|ambr)(?:\.\w+)?$/;
const MANIFEST =
  /(?:^|\/)(?:package(?:-lock)?\.json|.*\.lock|.*-lock\.yaml|go\.(?:mod|sum)|Cargo\.toml|pyproject\.toml|requirements[^/]*\.txt|pom\.xml)$/;
/** People do not read longer changes of recordings in full. */
const MANY_LINES = 200;

export const snapshots: IntegrityCheck = {
  name: "snapshots",
  find({files}) {
    const changedSnapshots = files.filter(
      ({path, before, after}) => SNAPSHOT.test(path) && before !== null && after !== null,
    );
    const [first] = changedSnapshots;
    if (first === undefined) return [];
    const removedCount = changedSnapshots.reduce(
      (sum, {before, after}) => sum + compareLines(before, after).removed.length,
      0,
    );
    if (removedCount === 0) return [];
    const hasCause = files.some(({path}) => isProductCode(path) || MANIFEST.test(path));
    const level = !hasCause || removedCount > MANY_LINES ? "flag" : "note";
    const message = hasCause
      ? `${removedCount} recorded lines changed, in ${changedSnapshots.length} snapshot files`
      : `${removedCount} recorded lines changed, but no code that they record`;
    const fix = "Read the changed snapshots: each difference has to be wanted.";
    return [{check: "snapshots", level, path: first.path, line: null, message, fix}];
  },
};
