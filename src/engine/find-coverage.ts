/** Finds which stages read each changed path of a candidate. */

import {matchExtensions, matchSkipped, type SkipRules} from "../changes/trigger.ts";
import {parseGitListing} from "../detect/files/file-list.ts";
import {openProject} from "../detect/files/open-project.ts";
import type {Project} from "../detect/files/project.ts";
import {entriesAt} from "../git/private-index.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan} from "../record/plan.ts";
import type {Change, Coverage} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import {attributeChanges} from "./coverage/attribute.ts";

/** The rules for which paths must be read, and by which stages. */
export interface CoverageRules extends SkipRules {
  /** `strict`: each changed path must be read, not only source code of a project */
  readonly coverage: "source" | "strict";
  /** the plan of all shards */
  readonly wholePlan: Pick<Plan, "stages">;
}

/** Assigns the changes of the commit that is checked out in `folder` to stages. Untracked files do not count. */
export async function findCoverage(options: {
  repository: Repository;
  commit: string;
  folder: string;
  changes: readonly Change[];
  rules: CoverageRules;
}): Promise<Result<Coverage, Failure>> {
  const {git} = options.repository;
  const entries = await entriesAt({git, commit: options.commit});
  if (!entries.ok) return entries;
  const names = entries.value.map(({path}) => `${path}\0`).join("");
  const listing = Promise.resolve({files: parseGitListing(Buffer.from(names)), notes: []});
  return ok(coverageIn({...options, tree: await openProject(options.folder, {}, listing)}));
}

/** As `findCoverage`, for an open project. */
export function coverageIn({
  tree,
  changes,
  rules,
}: {
  tree: Project;
  changes: readonly Change[];
  rules: CoverageRules;
}): Coverage {
  const paths = attributeChanges({
    plan: rules.wholePlan,
    tree,
    changes,
    isSource: matchExtensions(rules.codeExtensions),
    isSkipped: matchSkipped(rules),
    machine: process,
  });
  return {strict: rules.coverage === "strict", paths};
}
