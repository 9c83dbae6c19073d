/** Reads tool versions from the repository's workflows, so that Assay uses the versions of CI. */
import {combinationsOf} from "../../detect/ci/matrix.ts";
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";

const MAX_WORKFLOWS = 60;
const MAX_STEPS = 5_000;
const OF_MATRIX = /^\$\{\{\s*matrix\.([\w.-]+)\s*\}\}$/;
/** `3.12`, `v2.1.6`, `22.x`: a release. `pypy3.10`, `3.15-dev` and `21-ea` are not. */
const RELEASE = /^v?\d+(?:\.(?:\d+|x))*$/;

/** A step that uses an action: the text after its `@`, and its inputs for one combination of the job's matrix. */
interface UsedAction {
  readonly name: string;
  readonly reference: string;
  readonly input: (name: string) => string | null;
}

/** All steps of the repository's workflows that use an action. */
export function usedActions(project: Project): UsedAction[] {
  const files = project.inFolder(".github/workflows").filter((path) => /\.ya?ml$/.test(path));
  const steps: UsedAction[] = [];
  for (const file of files.slice(0, MAX_WORKFLOWS))
    for (const job of mapOf(valueAt(project.yaml(file), "jobs")).values()) steps.push(...actionsOfJob(job));
  return steps.slice(0, MAX_STEPS);
}

function actionsOfJob(job: unknown): UsedAction[] {
  const steps = valueAt(job, "steps");
  if (!Array.isArray(steps)) return [];
  return combinationsOf(valueAt(job, "strategy", "matrix")).flatMap((matrix) =>
    steps.slice(0, 100).flatMap((step: unknown) => {
      const [, name, reference] = /^([\w.-]+\/[\w./-]+)@(\S+)$/.exec(String(valueAt(step, "uses") ?? "")) ?? [];
      if (name === undefined || reference === undefined) return [];
      return [{name, reference, input: (key: string) => plainText(valueAt(step, "with", key), matrix)}];
    }),
  );
}

/** A literal or the matrix's value; null for other expressions and for values that are not one plain word in YAML. */
function plainText(value: unknown, matrix: Readonly<Record<string, unknown>>): string | null {
  const key = OF_MATRIX.exec(String(value ?? ""))?.[1];
  const text = String((key === undefined ? value : valueAt(matrix, ...key.split("."))) ?? "");
  return /^[\w./*+~^-]+$/.test(text) ? text : null;
}

/** The newest release, or else the first version; null if there is none. */
export function newest(versions: readonly (string | null)[]): string | null {
  const knownVersions = versions.filter((version) => version !== null);
  const releases = knownVersions.filter((version) => RELEASE.test(version)).sort(byVersion);
  return releases.at(-1) ?? knownVersions[0] ?? null;
}

function byVersion(a: string, b: string): number {
  const [left, right] = [versionParts(a), versionParts(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `x` is the newest version. */
function versionParts(version: string): number[] {
  const parts = version.replace(/^v/, "").split(".");
  return parts.map((part) => (part === "x" ? 1e6 : Number(part)));
}
