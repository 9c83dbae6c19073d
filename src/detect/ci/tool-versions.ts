/** Reads the versions of tools from the jobs that CI runs on a change, and compares them with installed ones. */
import type {Note, Stage} from "../../record/plan.ts";
import {listSome} from "../../record/words.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import {workflowFiles} from "../proposals/candidate-stages.ts";
import {fillIn, type Lookup, mayHold} from "./expression.ts";
import {changeEvents, systemOf, whyUntriggered} from "./github.ts";
import {type Combination, combinationsOf, isUnreleased} from "./matrix.ts";
import {plainEnv} from "./step-variables.ts";

const MAX_WORKFLOWS = 60;
const MAX_STEPS = 5_000;
const EXPRESSION = /^\$\{\{\s*matrix\.([\w.-]+)\s*\}\}$/;
/** `3.12`, `v2.1.6`, `22.x`, `^1`, `~1.11`, `>=1.20`: releases. `pypy3.10`, `3.15-dev` and `21-ea` are not. */
const RELEASE = /^(?<range>\^|~|>=)?v?(?<number>(?:\d+|x|\*)(?:\.(?:\d+|x|\*))*)$/;
/**
 * Names of releases, from older to newer, as the set-up actions document them. Each is newer than a number:
 * https://github.com/actions/setup-go#using-stableoldstable-aliases,
 * https://github.com/actions/setup-node#supported-version-syntax
 */
const NAMED = ["lts/-1", "oldstable", "lts/*", "lts", "stable", "current", "latest", "node"];

/** What an action sets up: its program, and the input with the version. Without the input, its reference may name it. */
const SETS_UP: Readonly<Record<string, {readonly program: string; readonly input: string}>> = {
  "actions/setup-node": {program: "node", input: "node-version"},
  "actions/setup-python": {program: "python3", input: "python-version"},
  "actions/setup-go": {program: "go", input: "go-version"},
  "actions/setup-java": {program: "java", input: "java-version"},
  "actions/setup-dotnet": {program: "dotnet", input: "dotnet-version"},
  "ruby/setup-ruby": {program: "ruby", input: "ruby-version"},
  "shivammathur/setup-php": {program: "php", input: "php-version"},
  "oven-sh/setup-bun": {program: "bun", input: "bun-version"},
  "denoland/setup-deno": {program: "deno", input: "deno-version"},
  "dtolnay/rust-toolchain": {program: "cargo", input: "toolchain"},
};

/** A step that uses an action, for one combination of the job's matrix. */
export interface UsedAction {
  readonly name: string;
  /** the text after its `@` */
  readonly reference: string;
  readonly file: string;
  readonly job: unknown;
  readonly jobId: string;
  /** the plain values of its inputs; a text of several lines has several */
  readonly inputs: ReadonlyMap<string, readonly string[]>;
  /** the inputs whose value is from the matrix */
  readonly ofMatrix: readonly string[];
  /** the commands of the job's steps */
  readonly commands: readonly string[];
}

/** The steps with an action in the jobs that a change starts on Linux; in all workflows if no change starts any. */
export function usedActions(project: Project): UsedAction[] {
  const files = workflowFiles(project).slice(0, MAX_WORKFLOWS);
  const started = files.filter((file) => whyUntriggered(valueAt(project.yaml(file), "on")) === null);
  return (started.length > 0 ? started : files)
    .flatMap((file) => {
      const workflow = project.yaml(file);
      const pull = {event_name: "pull_request", ref: "refs/pull/1/merge", ref_type: "branch"};
      const [event_name] = changeEvents(valueAt(workflow, "on"));
      const github = event_name === "pull_request" ? pull : {event_name, ref_type: "branch"};
      const env = plainEnv(valueAt(workflow, "env"));
      return [...mapOf(valueAt(workflow, "jobs"))].flatMap(([jobId, job]) =>
        actionsOfJob({file, job, jobId}, {github, env}),
      );
    })
    .slice(0, MAX_STEPS);
}

function actionsOfJob(
  place: Pick<UsedAction, "file" | "job" | "jobId">,
  {github, env}: {readonly github: Combination; readonly env: Readonly<Record<string, string>>},
): UsedAction[] {
  const {job} = place;
  const known = {github, env: {...env, ...plainEnv(valueAt(job, "env"))}};
  const lookupOf =
    (matrix: Combination): Lookup =>
    (path) =>
      valueAt({...known, matrix}, ...path);
  const runs = (matrix: Combination): boolean =>
    systemOf(job, matrix) === "Linux" && mayHold(valueAt(job, "if"), lookupOf(matrix));
  const onLinux = combinationsOf(valueAt(job, "strategy", "matrix")).filter(runs);
  const released = onLinux.filter((matrix) => !isUnreleased(matrix));
  const steps = listOf(valueAt(job, "steps"));
  return (released.length > 0 ? released : onLinux).flatMap((matrix) => {
    const commands = steps.map((step) => fillIn(textAt(step, "run") ?? "", lookupOf(matrix)));
    return steps.flatMap((step) => {
      const [, name, reference] = /^([\w.-]+\/[\w./-]+)@(\S+)$/.exec(textAt(step, "uses") ?? "") ?? [];
      if (name === undefined || reference === undefined) return [];
      const given = [...mapOf(valueAt(step, "with"))];
      const inputs = new Map(given.map(([key, value]) => [key, plainTexts(value, lookupOf(matrix))]));
      const ofMatrix = given.flatMap(([key, value]) => (EXPRESSION.test(String(value)) ? [key] : []));
      return [{...place, name, reference, inputs, ofMatrix, commands}];
    });
  });
}

/** The values as far as the workflow says them; none for lines that are not one plain word in YAML. */
function plainTexts(value: unknown, lookup: Lookup): string[] {
  const lines = fillIn(String(value ?? ""), lookup).split(/[\n,]/);
  return lines.map((line) => line.trim()).filter((line) => /^[\w./*+~^>=-]+$/.test(line));
}

/** The values that CI gives this input of some actions; of a matrix if there is one, because others may only lint. */
export function valuesInCi(project: Project, actions: readonly string[], input: string): string[] {
  const used = usedActions(project).filter(({name}) => actions.includes(name));
  const inMatrix = used.filter(({ofMatrix}) => ofMatrix.includes(input));
  return (inMatrix.length > 0 ? inMatrix : used).flatMap(({inputs}) => inputs.get(input) ?? []);
}

/** The newest release, or else the first version; null if there is none. */
export function newest(versions: readonly string[]): string | null {
  const releases = versions.filter((version) => rankOf(version) !== null).sort(byVersion);
  return releases.at(-1) ?? versions[0] ?? null;
}

function byVersion(a: string, b: string): number {
  const [left, right] = [rankOf(a) ?? [], rankOf(b) ?? []];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    // `22` and `22.x` are the newest 22
    const difference = (left[i] ?? NEWEST) - (right[i] ?? NEWEST);
    if (difference !== 0) return difference;
  }
  return 0;
}

const NEWEST = 1e6;

/** The parts of a release; null for other versions. */
function rankOf(version: string): number[] | null {
  const named = NAMED.indexOf(version);
  if (named >= 0) return [NEWEST + 1 + named];
  const {range, number = ""} = RELEASE.exec(version)?.groups ?? {};
  if (number === "") return null;
  const parts = number.split(".").map((part) => (/\d/.test(part) ? Number(part) : NEWEST));
  if (range === ">=") return [NEWEST];
  return range === undefined ? parts : [...parts.slice(0, range === "~" ? 2 : 1), NEWEST];
}

/** A version of a toolchain that CI sets up, and the stages that come from the job. */
export interface CiVersion {
  readonly program: string;
  readonly version: string;
  readonly stages: readonly string[];
}

/** The versions that the rows of CI's jobs set up. */
export function versionsOfCi(project: Project, stages: readonly Stage[]): CiVersion[] {
  const actions = usedActions(project);
  const sources = stages.map(({name, command, origin}) => {
    const ofJobs = actions.filter((used) => isFrom(used, origin));
    // Several jobs may have steps of one name, and a row of the matrix its own command.
    const ofCommand = ofJobs.filter(({commands}) => commands.some((text) => text.includes(command)));
    return {name, jobs: new Set(ofCommand.length > 0 ? ofCommand : ofJobs)};
  });
  return actions.flatMap((used) => {
    const {program = "", input = ""} = SETS_UP[used.name] ?? {};
    const inFile = (used.inputs.get(`${input}-file`) ?? []).flatMap((file) => versionInFile(project, file));
    const given = [...(used.inputs.get(input) ?? []), ...inFile];
    const versions = given.length > 0 || program !== "cargo" ? given : [used.reference];
    const names = sources.flatMap(({name, jobs}) => (jobs.has(used) ? [name] : []));
    return versions.filter(isKnown).map((version) => ({program, version, stages: names}));
  });
}

/** The version in `go.mod`, or in a file that has nothing else, such as `.nvmrc` and `.python-version`. */
function versionInFile(project: Project, file: string): string[] {
  const text = project.text(file)?.trim() ?? "";
  const version = file.endsWith("go.mod") ? /^go (\S+)$/m.exec(text)?.[1] : text;
  return version === undefined || /\s/.test(version) ? [] : [version];
}

/** True if a command with this origin is from the job of the action. */
export const isFrom = (
  {file, job, jobId}: UsedAction,
  origin: {readonly file: string; readonly key: string},
): boolean =>
  origin.file === file &&
  [jobId, textAt(job, "name"), ...listOf(valueAt(job, "steps")).map((step) => textAt(step, "name"))].includes(
    origin.key,
  );

/** Names each installed program whose version is in no row of CI, or in none of the jobs that a stage comes from. */
export function noteOtherVersions(ofCi: readonly CiVersion[], installed: ReadonlyMap<string, string>): Note[] {
  return [...installed].flatMap(([program, version]) => {
    const rows = ofCi.filter((row) => row.program === program);
    const about = `${program} version`;
    const fits = (row: CiVersion): boolean => mayBe(version, row.version);
    if (rows.length > 0 && !rows.some(fits))
      return [{about, text: `${version} runs here, but CI uses ${listed(rows)}`}];
    const others = new Map<string, string[]>();
    for (const stage of new Set(rows.flatMap(({stages}) => stages))) {
      const ofStage = rows.filter(({stages}) => stages.includes(stage));
      const wanted = listed(ofStage);
      if (!ofStage.some(fits)) others.set(wanted, [...(others.get(wanted) ?? []), stage]);
    }
    return [...others].map(([wanted, by]) => {
      const checks = listSome(
        by.map((stage) => `\`${stage}\``),
        4,
      );
      return {about, text: `${version} runs here, but CI runs ${checks} with ${wanted}`, by};
    });
  });
}

/** False for a commit, and for names of other programs, such as `pypy3.10`. */
const isKnown = (version: string): boolean => rankOf(version) !== null || CHANNEL.test(version);

const listed = (rows: readonly CiVersion[]): string =>
  [...new Set(rows.map(({version}) => version))].sort(byVersion).join(", ");

const CHANNEL = /\b(?:nightly|beta)\b/;

/** False only if an installed version is surely not the wanted one. */
function mayBe(version: string, wanted: string): boolean {
  const channel = CHANNEL.exec(wanted)?.[0];
  if (channel !== undefined || NAMED.includes(wanted)) return channel === CHANNEL.exec(version)?.[0];
  const {range, number = ""} = RELEASE.exec(wanted)?.groups ?? {};
  const parts = number.split(".").map((part) => (/\d/.test(part) ? Number(part) : null));
  const own = (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);
  const known = range === undefined ? parts : parts.slice(0, range === "~" ? 2 : 1);
  if (number === "") return false;
  if (range === ">=") return byVersion(version, number) >= 0;
  return known.every((part, i) => part === null || own[i] === undefined || own[i] === part);
}
