/** Finds tests that moved to a place that the unchanged configuration does not select. A part of `removed-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {selects, TEST_FILES} from "../gate/selected-tests.ts";
import {readSettings} from "../gate/settings.ts";
import type {InspectedChange} from "../source/inspected-change.ts";
import {compareTests} from "../tests/compare-tests.ts";

export function uncollectedTests(change: InspectedChange): IntegrityFinding[] {
  const {configs = []} = change;
  if (configs.length === 0) return [];
  const moved = new Map(
    compareTests(change).kept.flatMap(({base, head}) =>
      base.file.basePath === head.file.path ? [] : [[base.file.basePath, head.file.path] as const],
    ),
  );
  const patterns = configs.flatMap(({path, text}) =>
    [...readSettings(path, text)].flatMap(([key, values]) =>
      TEST_FILES.test(key) && values.length > 0
        ? [{folder: path.slice(0, path.lastIndexOf("/") + 1), key, values}]
        : [],
    ),
  );
  return [...moved].flatMap(([from, to]) => {
    const lost = patterns.find(({folder, values}) => {
      const isSelected = (path: string) => path.startsWith(folder) && selects(values, path.slice(folder.length));
      return isSelected(from) && !isSelected(to);
    });
    if (lost === undefined || patterns.some(({folder, values}) => selects(values, to.slice(folder.length)))) return [];
    const message = `\`${to}\` is not selected by \`${lost.key.split(" ").at(-1)}\`, so its tests do not run any more`;
    const fix = "Move the tests back, or let the configuration select their new place.";
    return [{check: "removed-tests", level: "flag", path: to, line: null, message, fix} satisfies IntegrityFinding];
  });
}
