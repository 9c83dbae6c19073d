/** The interface of a detector of checks: a language's ecosystem, a task runner, or a CI file. */
import type {Note, NotRun, Origin, SetupStep, Stage} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import type {Project} from "../files/project.ts";

/**
 * The strength of the evidence for a command, strongest first: `ci`: CI runs it; `named`: a script or target with that
 * name exists; `tool`: the tool is configured or a declared dependency; `default`: the usual command of this ecosystem.
 */
export const EVIDENCE = ["ci", "named", "tool", "default"] as const;
type RequestStrength = (typeof EVIDENCE)[number];

/** A command that may become a stage. `plan` screens, selects, names and orders candidates. */
export interface CandidateStage {
  /** given by the selection, and kept by each change of the candidate */
  id?: number;
  kind: StageKind;
  /** one shell line, run in `cwd` */
  command: string;
  /** relative to the root of the tree, `.` for the root */
  cwd: string;
  /** the folder whose project it reads, if an option names another one than `cwd` */
  about?: string;
  origin: Origin;
  evidence: RequestStrength;
  /** programs that must exist, each with the setup step to add when it is missing */
  tools: Stage["tools"];
  /** folders, relative to the root of the tree, in front of PATH: `node_modules/.bin` */
  path?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /**
   * The plain commands that this one runs, if they are known (the body of a script or target).
   * They are screened too, and show that two candidates run the same check.
   */
  runs?: readonly string[];
  /** Candidates with the same slot are alternatives, best first: one of them runs. CI may select a later one. */
  slot?: string;
  /** distinguishes stages of one kind: `format` gives `lint:format` */
  label?: string;
  /** present only if the kind's default is wrong (lint is optional by default) */
  optional?: boolean;
  /** optional only because nothing has shown yet that it passes on the base */
  unproved?: true;
  /** in seconds; present only if the kind's default is wrong */
  timeout?: number;
  /** `last-resort`: runs only if no other candidate has this kind in this folder */
  priority?: "last-resort";
}

/**
 * A check that an ecosystem proposes for its folder. It is left out if its origin is null, if `when` is false, or if none
 * of its `configs` exists.
 */
export interface CheckRow extends Partial<Omit<CandidateStage, "origin">> {
  readonly kind: StageKind;
  readonly command: string;
  readonly when?: boolean;
  /** the reason for the check; the proposal's origin by default */
  readonly origin?: Origin | null;
  /** replaces the reason in the origin */
  readonly why?: string;
  /**
   * config files of the check's tool, best first: the first one that exists is the origin, and the evidence is `tool`
   */
  readonly configs?: readonly string[];
  /** the tool that `configs` belong to; the first word of the command by default */
  readonly configured?: string;
}

/** An install step. Paths are relative to its folder, or with a leading `/` to the root of the tree. */
export interface InstallRow extends Partial<Omit<SetupStep, "inputs" | "provides">> {
  readonly command: string;
  readonly inputs: readonly string[];
  readonly provides?: readonly string[];
  /** if this file exists, it is the origin, and the option makes the install follow it */
  readonly lock?: {readonly file: string; readonly key: string; readonly option?: string};
}

/** A command that a CI file runs on pull requests, as extracted. */
export interface CiCall {
  readonly file: string;
  readonly key: string;
  /** as written */
  readonly text: string;
  readonly cwd: string;
  /** the plain commands that it finally runs; empty if only a shell can parse it */
  readonly runs: readonly string[];
  /** the candidates made from it: itself in its safe form, and parts of the script that it starts */
  readonly candidates: readonly CandidateStage[];
  readonly safeForm: string;
  /** why it is no candidate; null if it is one, or if it prepares the machine */
  readonly why: string | null;
  /** its tools or its names show that it is a check */
  readonly isCheck: boolean;
  /** what it is for, `check` unless its words show that it only prepares the machine */
  readonly role: "check" | "setup";
}

/** The result of an ecosystem for a folder; absent parts are empty. */
export interface Proposal {
  /** the program that every check and install step needs, unless they name others */
  readonly tool?: Stage["tools"][number];
  /** the reason why the folder is a project: the origin of checks and installs without an origin of their own */
  readonly origin?: Origin;
  /** the settings that all checks share */
  readonly shared?: Partial<CandidateStage>;
  readonly checks?: readonly CheckRow[];
  readonly installs?: readonly InstallRow[];
  /** notes on everything that was skipped or not understood */
  readonly notes?: readonly Note[];
  /** requested checks that cannot be stages */
  readonly notRun?: readonly NotRun[];
  /** every command that CI runs on pull requests */
  readonly ciCalls?: readonly CiCall[];
  /** folders of other projects of this ecosystem that these checks already cover, such as the members of a workspace */
  readonly covers?: readonly string[];
}

/** A folder that an ecosystem examines; `.` is the root of the tree. */
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
   * A folder with such a file is a root; a path with `/` makes the root of the tree one.
   */
  manifests: readonly string[];
  /**
   * `anywhere`: each folder with a manifest is a project. `beside`: only the root of the tree, and roots that an
   * `anywhere` found.
   */
  where: "anywhere" | "beside";
  /** Pure. Reads evidence below the folder's root; never throws for any file content. */
  detect(folder: ProjectFolder): Proposal;
}
