/** What one detector of checks is: a language's ecosystem, a task runner, or a CI file, all of one shape. */
import type {Note, NotRun, Origin, SetupStep, Stage} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import type {Project} from "../files/project.ts";

/**
 * How strongly the repository asks for a command, strongest first:
 * `ci`: its CI runs this; `named`: a script or target of that name exists; `tool`: the tool is configured or a declared
 * dependency; `default`: what one always runs in this ecosystem.
 */
export const EVIDENCE = ["ci", "named", "tool", "default"] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** A command that may become a stage. `plan` screens, chooses among, names and orders drafts. */
export interface CandidateStage {
  kind: StageKind;
  /** one shell line, run in `cwd` */
  command: string;
  /** relative to the root of the tree, `.` for the root */
  cwd: string;
  origin: Origin;
  evidence: Evidence;
  /** programs that must exist, each with the set-up step to add when it is missing */
  tools: Stage["tools"];
  /** folders, relative to the root of the tree, in front of PATH: `node_modules/.bin` */
  path?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /**
   * The plain commands that this one comes down to, where they are known (the body of a script or target).
   * They are screened too, and tell that two drafts run the same thing.
   */
  runs?: readonly string[];
  /** Drafts of one slot are alternatives, best first: one of them runs. CI may choose a later one. */
  slot?: string;
  /** tells stages of one kind apart: `format` gives `lint:format` */
  label?: string;
  /** only where the default of the kind (lint is optional) is wrong */
  optional?: boolean;
  /** seconds, only where the default of the kind is wrong */
  timeout?: number;
  /**
   * `last-resort`: only where nothing else gives this kind in this folder. `everything`: the project's own list of all that
   * must pass, so what it starts is not run a second time. `hint`: never runs, and only chooses within slots where CI does not.
   */
  priority?: "last-resort" | "everything" | "hint";
}

export type CandidateSetup = Omit<SetupStep, "timeout"> & {timeout?: number};

export interface Proposal {
  stages: readonly CandidateStage[];
  setup: readonly CandidateSetup[];
  /** what was passed over, or not understood, and why */
  notes: readonly Note[];
  /** checks that are asked for and cannot be stages */
  notRun?: readonly NotRun[];
  /** folders of other projects of this ecosystem that these stages already take in, such as the members of a workspace */
  covers?: readonly string[];
}

/** A folder that an ecosystem looks at; `.` is the root of the tree. */
export interface ProjectFolder {
  readonly project: Project;
  readonly root: string;
}

export interface Ecosystem {
  /** one word, in notes and tests */
  name: string;
  /** for people */
  title: string;
  /**
   * Basenames, with `*` as a wildcard (`*.csproj`), or a path with `/` from the root (`.github/workflows/*.yml`).
   * A folder that holds one is a root; a path with `/` makes the root of the tree one.
   */
  manifests: readonly string[];
  /** `anywhere`: each folder with a manifest is a project. `beside`: only the root of the tree, and folders that an `anywhere` found. */
  where: "anywhere" | "beside";
  /** Pure. Reads evidence below the folder's root; never throws on any file content. */
  detect(folder: ProjectFolder): Proposal;
}

export const EMPTY_PROPOSAL: Proposal = {stages: [], setup: [], notes: []};
