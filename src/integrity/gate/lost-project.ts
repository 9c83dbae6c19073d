/** Finds a project or configuration with which a tool does not run any more. */
import type {CheckCommand} from "./check-command.ts";

const PROJECT = /^(?:-p|--project|-c|--config)$/;
/** It builds a project with all that the project refers to (typescriptlang.org, "Project References"). */
const BUILDS_ALL = /^(?:-b|--build)$/;

/** What a script has lost, in words: its tool runs fewer times, and not with one of its projects. Null if nothing. */
export function lostProject(base: readonly CheckCommand[], head: readonly CheckCommand[]): string | null {
  for (const {tool, words} of base) {
    const runs = (list: readonly CheckCommand[]) => list.filter((one) => one.tool === tool);
    const project = words.find((_, index) => PROJECT.test(words[index - 1] ?? ""));
    const isRead = head.some((one) => one.words.some((word) => word === project || BUILDS_ALL.test(word)));
    if (project !== undefined && !isRead && runs(head).length < runs(base).length)
      return `\`${tool}\` does not run with \`${project}\` any more`;
  }
  return null;
}
