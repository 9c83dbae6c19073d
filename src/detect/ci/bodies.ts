/** Finds the plain commands behind a command that starts scripts, targets or recipes. */

import {baseName} from "../../shell/program.ts";
import {toolOf} from "../../tools/command-name.ts";
import {textAt, textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {makefileOf, targetRuns} from "../scripts/makefile.ts";
import {readBodies} from "../scripts/package-script-parts.ts";
import {scriptPath, shellBody} from "../scripts/shell-file.ts";

const MAX_LINES = 100;
/** Scripts of the tree that start a build tool with their arguments. */
const BUILD_WRAPPERS = /^(gradlew|mvnw|mill|millw|sbt|sbtx|bazelisk)$/;

/** The plain commands that a command finally runs; null if it starts no known script. */
export function bodyOf(options: {project: Project; cwd: string; words: readonly string[]}): string[] | null {
  const {project, cwd, words} = options;
  const tool = toolOf(words);
  const script = /^script (\S+)$/.exec(tool)?.[1];
  if (script !== undefined) {
    const scripts = textEntries(valueAt(project.json(inside(cwd, "package.json")), "scripts"));
    return scripts.has(script) ? [...readBodies(scripts).leavesOf(script)] : null;
  }
  const target = /^make (\S+)$/.exec(tool)?.[1];
  if (target !== undefined) {
    const makefile = makefileOf(project, cwd);
    return makefile === null ? null : targetRuns(makefile.text, target);
  }
  const composer = /^composer (?:run |run-script )?(\S+)$/.exec(tool)?.[1];
  if (composer !== undefined) return composerScript(project.json(inside(cwd, "composer.json")), composer, new Set());
  if (tool === "mvn ") return defaultGoal(project.text(inside(cwd, "pom.xml")) ?? "");
  const path = scriptPath(project, cwd, words);
  // The body of a wrapper is the same, whatever it starts.
  return path === null || BUILD_WRAPPERS.test(baseName(path)) ? null : shellBody(project, path, cwd);
}

/** What `mvn` alone runs. */
function defaultGoal(pom: string): string[] | null {
  const goals = /<defaultGoal>([^<]{1,1000})<\/defaultGoal>/.exec(pom)?.[1]?.trim().split(/\s+/);
  return goals === undefined ? null : [`mvn ${goals.join(" ")}`];
}

function composerScript(manifest: unknown, name: string, seen: Set<string>): string[] | null {
  const scripts = valueAt(manifest, "scripts");
  const single = textAt(scripts, name);
  const lines = single === null ? textsOf(valueAt(scripts, name)) : [single];
  if (lines.length === 0) return null;
  if (seen.has(name) || seen.size > MAX_LINES) return [];
  seen.add(name);
  return lines.slice(0, MAX_LINES).flatMap((line) => {
    const scriptName = /^@(?:composer (?:run-script |run )?)?([\w:-]+)$/.exec(line.trim())?.[1];
    const inner = scriptName === undefined ? null : composerScript(manifest, scriptName, seen);
    return inner ?? [line.replace(/^@php (?=artisan\b)/, "php ").replace(/^@php (-\S+ )*/, "")];
  });
}
