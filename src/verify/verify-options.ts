/** The options for the verification of one candidate. */
import type {IntegrityRules} from "../detect/config/config.ts";
import type {Baseline} from "../engine/baseline/baseline.ts";
import type {Checkouts} from "../engine/checkout/checkout.ts";
import type {ChangeBase} from "../engine/checkout/compared-commits.ts";
import type {CoverageRules} from "../engine/find-coverage.ts";
import type {StagesOptions} from "../engine/stage-run.ts";
import type {Toolchain} from "../engine/toolchain.ts";
import type {Repository} from "../git/repository.ts";
import type {Approval, Candidate, Isolation} from "../record/verification.ts";
import type {RequestTexts} from "./requested-repair.ts";
import type {SpecCheck} from "./spec-drift.ts";

export interface VerifyOptions extends StagesOptions {
  readonly candidate: Candidate;
  readonly checkouts: Checkouts;
  /** null if there is nothing to compare with */
  readonly baseline: Baseline | null;
  readonly repository: Repository;
  readonly isolation: Isolation;
  readonly signal: AbortSignal;
  /** true if failures go back to the agent: then a narrowed run with a failure is enough for the verdict `failed` */
  readonly mayRunAffectedFirst: boolean;
  /** true if a narrowed run that passes replaces the whole stage: then the verdict is at most `partial` */
  readonly isAffectedEnough?: boolean;
  /** the machine's programs that the plan uses, recorded before anything ran; null if they were not recorded */
  readonly toolchain: Toolchain | null;
  readonly coverageRules: CoverageRules;
  /** without it, specs are not compared with the change */
  readonly specCheck?: SpecCheck | null;
  /** the base's rules for changes of tests and configuration; null if there is no base to compare with */
  readonly integrity: IntegrityRules | null;
  /** the commits to compare instead of the candidate's own base and commit, for the head of a pull request */
  readonly changeBase?: ChangeBase | null;
  /** the text of the request; absent on the command line */
  readonly request?: RequestTexts | null;
  /** true if the request is to fix a bug: tests of the reported case that pass without a fix are a question then */
  readonly isBugFix?: boolean;
  /** a person accepts that this candidate changes its own checks: its own scripts run, and no finding blocks */
  readonly approval?: Approval | null;
}
