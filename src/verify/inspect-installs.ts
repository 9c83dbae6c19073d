/** A source of findings: what the install scripts of a change leave in installed packages, compared with the base. */
import type {IntegrityFinding} from "../record/finding.ts";
import type {Verification} from "../record/verification.ts";
import {claimsSomething, listSome} from "../record/words.ts";
import type {VerifyOptions} from "./verify-options.ts";

/** The file that such a script runs may be the same: it can read or import files that the change edits. */
export async function inspectInstalls({
  verification: {checkouts, candidate},
  evidence,
}: {
  verification: Pick<VerifyOptions, "checkouts" | "candidate">;
  evidence: Promise<Pick<Verification, "verdict">>;
}): Promise<readonly IntegrityFinding[]> {
  const {verdict} = await evidence;
  if (!claimsSomething(verdict)) return [];
  const changed = checkouts.changedInstalls(candidate.commit);
  return ([true, false] as const).flatMap((replaces) => {
    const paths = [...new Set(changed.filter((one) => one.replaces === replaces).map(({path}) => path))];
    const [path] = paths;
    if (path === undefined) return [];
    const message = `The repository's install scripts change ${listSome(paths, 5)}, and leave them otherwise on the default branch`;
    const fix = "Restore what these scripts read, so that they leave installed packages as on the default branch.";
    return [{check: "replaced-tools", level: replaces ? "block" : "flag", path, line: null, message, fix}];
  });
}
