/** Checks that each glob of `specs` in `verify.json` matches a file. */
import type {SpecRules} from "../../detect/config/config.ts";
import type {Project} from "../../detect/files/project.ts";
import {codeSpan} from "../../markdown/escape.ts";
import {findSpecFiles} from "../../specs/find-specs.ts";
import type {Finding} from "../finding.ts";

/** Nothing if the known places are used, or no specs. */
export function specFindings(specs: SpecRules | null, project: Project): Finding[] {
  const unused = (specs?.paths ?? []).filter(
    (glob) => findSpecFiles(project.files, [glob.replace(/^!/, "")]).length === 0,
  );
  if (unused.length === 0) return [];
  return [
    {
      about: "specs",
      state: "advice",
      text: `no file matches ${unused.map((glob) => codeSpan(glob)).join(", ")}`,
      next: "correct the globs of `specs` in verify.json, relative to the root of the repository",
    },
  ];
}
