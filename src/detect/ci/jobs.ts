/** Common parts of GitLab's, CircleCI's, Travis' and Azure's files: lists of shell lines under a name. */
import {textsOf} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";

/** The lines of a `script`, which may be one text, a list, or lists within the list (as anchors give). */
export function shellOf(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || depth > 5) return "";
  return value
    .slice(0, 200)
    .map((item: unknown) => (Array.isArray(item) ? shellOf(item, depth + 1) : textsOf([item]).join("")))
    .join("\n");
}

/** A name as a key of an origin: the name if the file contains it, else the substitute. */
export function keyIn(project: Project, file: string, name: string, otherwise: string): string {
  return name !== "" && (project.text(file) ?? "").includes(name) ? name : otherwise;
}
