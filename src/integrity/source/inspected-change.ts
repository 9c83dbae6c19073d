/** The input of a check: the files of a change with their contents before and after, and the plan if there is one. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {Plan} from "../../record/plan.ts";
import type {IntegrityCheckName} from "../../record/words.ts";

/** One changed path. A text is null if the file is missing, binary or too large to read. */
export interface InspectedFile {
  readonly path: string;
  /** the path in the base; differs from `path` for a renamed file */
  readonly basePath: string;
  readonly status: "added" | "modified" | "deleted" | "renamed";
  readonly before: string | null;
  readonly after: string | null;
  readonly isExecutable: boolean;
}

export interface InspectedChange {
  readonly files: readonly InspectedFile[];
  /** texts of unchanged test files that may call a changed source, for the search for test values in sources */
  readonly relatedTests: readonly string[];
  readonly plan: Plan | null;
  /** the bodies of the scripts that the plan's stages start by name */
  readonly scripts?: readonly string[];
  /** the names of the folders and modules at the root, and in `src` and `lib` */
  readonly roots?: ReadonlySet<string>;
  /** sources that a changed file may hide from a tool */
  readonly codePaths?: readonly string[];
  /** the sources whose place a changed file of tests can take, by the path of that file */
  readonly hiddenSources?: ReadonlyMap<string, readonly string[]>;
  /** the makefile of the base that make does not read any more, by the path of the new makefile in front of it */
  readonly hiddenMakefiles?: ReadonlyMap<string, HiddenMakefile>;
  /** the files of tests in the candidate */
  readonly testPaths?: readonly string[];
  /** the files of the candidate in folders that lose a shell test */
  readonly dataPaths?: readonly string[];
  /** changed files whose text is not here although they have one on at least one side */
  readonly unread?: readonly string[];
}

export interface HiddenMakefile {
  readonly path: string;
  readonly text: string;
}

/** A check: a pure function from a change to findings. */
export interface IntegrityCheck {
  readonly name: IntegrityCheckName;
  readonly find: (change: InspectedChange) => readonly IntegrityFinding[];
}
