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
  /** the names of the folders and modules at the root, and in `src` and `lib` */
  readonly roots?: ReadonlySet<string>;
  /** the files of tests in the candidate */
  readonly testPaths?: readonly string[];
  /** changed files whose text is not here although they have one on at least one side */
  readonly unread?: readonly string[];
}

/** A check: a pure function from a change to findings. */
export interface IntegrityCheck {
  readonly name: IntegrityCheckName;
  readonly find: (change: InspectedChange) => readonly IntegrityFinding[];
}
