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
