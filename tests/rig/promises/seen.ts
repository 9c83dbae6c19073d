/** What the checker looks at, and the form of each of its checks. */
import type {RefUpdate} from "../git-server.ts";
import type {Origin} from "../origin.ts";
import type {Outcome} from "../world.ts";

/** What can be seen of a run from outside. All of it is data, so that a test can falsify it. */
export interface Seen {
  readonly outcome: Outcome;
  readonly origin: Origin;
  /** what pushes did to refs in this world */
  readonly updates: readonly RefUpdate[];
  /** requests that GitHub does not describe */
  readonly invalidRequests: readonly {readonly request: string; readonly problems: readonly string[]}[];
  /** true when this trigger was one to turn away or to pass over: then there must be no run */
  readonly nothingAsked: boolean;
  /** true where there is time to install what the stages need, to run them once more on what was published */
  readonly mayInstall?: boolean;
  /** true where a stage attacks the machine that it runs on: it is run once more only where it can be confined */
  readonly isHostile?: boolean;
  /** prompts that nobody had expected */
  readonly unmatchedPrompts: readonly string[];
}

export interface PromiseCheck {
  /** as in the design: P1 to P16, or `rig` for what makes a scenario worthless */
  readonly id: string;
  /** the sentences of what is broken; empty when it holds */
  readonly broken: (seen: Seen) => string[] | Promise<string[]>;
}
