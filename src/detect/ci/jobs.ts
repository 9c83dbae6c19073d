/** Common parts of all CI files: the place that is read, and lists of shell lines under a name. */
import type {Note} from "../../record/plan.ts";
import {textsOf} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";

/** A place in a CI file, with the settings that its parts share. */
export interface CiLocation {
  readonly project: Project;
  readonly notes: Note[];
  readonly file: string;
  /** the name of the place in the file, unless a part has its own name */
  readonly key: string;
  /** the files that include this one, to detect cycles */
  readonly above: readonly string[];
  /** the number of steps that may still be read, in all files together */
  readonly budget: {steps: number};
}

/** The lines of a `script`, which may be one text, a list, or lists within the list (as anchors give). */
export function shellOf(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || depth > 5) return "";
  return value
    .slice(0, 200)
    .map((item: unknown) => (Array.isArray(item) ? shellOf(item, depth + 1) : textsOf([item]).join("")))
    .join("\n");
}

/** The key of an origin: the name if the file contains it, otherwise the substitute. */
export function keyIn(project: Project, file: string, name: string, otherwise: string): string {
  return name !== "" && (project.text(file) ?? "").includes(name) ? name : otherwise;
}

/** One piece of shell text that a CI file runs on a change. */
export interface CiScript {
  readonly file: string;
  /** text that finds the place in the file: the name of a job or step */
  readonly key: string;
  readonly text: string;
  readonly cwd: string;
  /** the variables that the CI file sets to literal values */
  readonly env: Readonly<Record<string, string>>;
  /** the variables in its text that earlier steps have set; null if only a run knows the value */
  readonly setVariables?: Readonly<Record<string, string | null>>;
  /** why none of its commands becomes a stage; null if they may */
  readonly blocked?: string | null;
  /** false if only a push runs it: it counts where nothing runs on pull requests */
  readonly isRequired?: boolean;
  /** it is not shell text */
  readonly isOpaque?: true;
  /** its job runs in a container, whose image may have programs of its own */
  readonly isInContainer?: true;
  /** the folder into which CI checks the tree out */
  readonly checkout?: string;
  /** its job; the scripts of a job run in order */
  readonly job?: string;
  /** the text of its step before values are filled in, equal in each row of a matrix */
  readonly source?: string;
  /** its job has installed an archive that another job built, so its variables are about that archive */
  readonly isOfArtifact?: boolean;
  /** only a row with an older version has its step, such as one that exchanges a lock file (servo/rust-url) */
  readonly isOfOlderVersion?: true;
  /** the folder into which an earlier step of its job downloads what another job has made */
  readonly downloaded?: string;
  /** what an earlier step of its job provides, which its tests may need */
  readonly prepared?: string;
  readonly usesSecret?: true;
  /** its job has accounts, secrets or rights to write, so what is not known as a check may publish */
  readonly hasAccess?: true;
}
