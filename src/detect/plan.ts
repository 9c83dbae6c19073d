/** The plan: which commands must pass in this tree, in which order, and why. */
import type {Failure} from "../record/failure.ts";
import type {CiCommandReport, Note, Plan, SetupStep, Stage} from "../record/plan.ts";
import {ok, type Result} from "../record/words.ts";
import {servicesOfCi} from "./ci/services.ts";
import {servesSomeChecks} from "./ci/set-up-steps.ts";
import {findWeakness, OWN_COMMAND} from "./command-analysis/cannot-fail.ts";
import {findCountingRunner} from "./command-analysis/counting-runner.ts";
import {explainEarlyStop} from "./command-analysis/stops-early.ts";
import {applyConfig} from "./config/apply-config.ts";
import type {Config} from "./config/config.ts";
import {ECOSYSTEMS} from "./ecosystems/index.ts";
import type {Project} from "./files/project.ts";
import {candidatesOf, INSTALLED, setupOf} from "./proposals/candidate-stages.ts";
import type {CandidateStage, CiCall, Ecosystem, Proposal} from "./proposals/ecosystem.ts";
import {readMentions} from "./proposals/mentioned-folders.ts";
import {findRoots, isSupportFolder, MAX_ROOTS} from "./proposals/project-roots.ts";
import {accountForCi} from "./selection/account-for-ci.ts";
import {keepAffected} from "./selection/affected-projects.ts";
import {noteDrops, withFoundedReasons} from "./selection/dropped.ts";
import {nameStages, sortStages} from "./selection/name-stages.ts";
import {selectStages} from "./selection/select-stages.ts";

const MAX_NOTES = 200;

/**
 * Plans the stages of a tree. Reads only through `project`, and runs no code of the repository. With `changed` (paths),
 * only the projects that a change affects; a change outside every project, or in the root project, means all. Fails
 * only where `config` names a stage that does not exist.
 */
export function plan(options: {
  project: Project;
  config: Config;
  changed?: readonly string[];
  ecosystems?: readonly Ecosystem[];
}): Result<Plan, Failure> {
  const {project, config} = options;
  const isConfigured = config.stages !== null;
  const proposals =
    isConfigured && config.setup !== null ? [] : collectProposals(project, options.ecosystems ?? ECOSYSTEMS);
  const calls = isConfigured ? [] : proposals.flatMap(({ciCalls}) => ciCalls);
  const installedSetup = distinctSetup(proposals);
  const selection = selectStages(
    shareEnvironment(
      proposals.flatMap((proposal) => proposal.stages),
      installedSetup,
    ),
    {
      project,
      hasCi: calls.some(({role}) => role === "check"),
    },
  );
  const named = new Map(nameStages(selection.stages));
  const stages = sortStages([...named.values()]);
  const setup = installedSetup.filter((step) => stages.length > 0 || step.cwd === ".");
  const configResult = applyConfig({config, stages, setup});
  if (!configResult.ok) return configResult;
  const affectedPart = keepAffected({
    ...configResult.value,
    changed: isConfigured ? null : (options.changed ?? null),
    project,
  });
  const leftOut = [
    ...stages.filter(({name}) => config.overrides[name] === false).map(offByOwner),
    ...configResult.value.stages.filter((stage) => !affectedPart.stages.includes(stage)).map(notAffected),
  ];
  const ci = accountForCi(calls, {...affectedPart, selected: selection.stages, leftOut});
  const services = servicesOfCi(project).map(({name}) => name);
  const independentStages = stagesWithoutServices(calls, ci);
  const plannedStages = affectedPart.stages.map((stage) =>
    describeEvidence(stage, project, independentStages.has(stage.name) ? [] : services),
  );
  // A command that a stage runs is not reported as skipped, even if another job or file has it too.
  const isStage = ({text}: Note): boolean =>
    plannedStages.some(({command}) => text.startsWith(`\`${command}\` skipped: `));
  const notes = limitNotes([
    ...[...proposals.flatMap((proposal) => proposal.notes), ...selection.notes].filter((note) => !isStage(note)),
    ...noteDrops(selection, {named, planned: plannedStages}).filter((note) => !isStage(note)),
    ...affectedPart.notes,
    ...project.notes,
    ...plannedStages.flatMap(noteWeakness),
  ]);
  const notRun = isConfigured ? [] : proposals.flatMap(({notRun}) => notRun);
  const ciPart = ci.length > 0 ? {ci} : {};
  const {setup: plannedSetup} = affectedPart;
  return ok(
    withFoundedReasons({schema: "assay.plan/1", stages: plannedStages, setup: plannedSetup, notRun, ...ciPart, notes}),
  );
}

const offByOwner = (stage: Stage) => ({
  stage,
  why: `verify.json disables the stage \`${stage.name}\``,
  fix: `remove "${stage.name}": false from "overrides"`,
});

const notAffected = (stage: Stage) => ({stage, why: "the change does not affect its project", fix: ""});

/** The stages that CI runs in a job without services. */
function stagesWithoutServices(calls: readonly CiCall[], ci: readonly CiCommandReport[]): Set<string> {
  const free = new Set(calls.filter(({why}) => why === null).map(({file, cwd, text}) => `${file}\0${cwd}\0${text}`));
  return new Set(
    ci.flatMap(({file, cwd, command, outcome}) => {
      if (outcome.kind === "listed" || !free.has(`${file}\0${cwd}\0${command}`)) return [];
      return outcome.kind === "stage" ? [outcome.stage] : outcome.by;
    }),
  );
}

/** Adds the evidence that the stage's exit code and output can give (P6), and the services that its tests may need. */
function describeEvidence(stage: Stage, project: Project, services: string[]): Stage {
  const context = {project, cwd: stage.cwd};
  const {swallowedIn, rewrittenBy} = findWeakness(stage.command, context);
  const countedBy = stage.kind === "test" ? findCountingRunner(stage.command, {...context, env: stage.env}) : null;
  const isTest = stage.kind === "test" || stage.kind === "check";
  const stopsEarly = isTest ? explainEarlyStop(stage.command, context) : "";
  return {
    ...stage,
    ...(swallowedIn !== null && {swallowedIn}),
    ...(rewrittenBy !== null && {rewrittenBy}),
    ...(countedBy !== null && {countedBy}),
    ...(stopsEarly !== "" && {stopsEarly}),
    ...(isTest && services.length > 0 && {services: [...services]}),
  };
}

/** Notes for a test stage that cannot fail: only the passed tests in its output are evidence (P6). */
function noteWeakness({name, kind, command, swallowedIn, rewrittenBy}: Stage): Note[] {
  const notes: Note[] = [];
  if (swallowedIn !== undefined) {
    const place = swallowedIn === OWN_COMMAND ? "" : ` (${swallowedIn})`;
    const effect = kind === "test" ? "it passes only if its output counts passed tests" : "it checks nothing";
    const text = `\`${command}\` always ends with exit code 0${place}: ${effect}. Remove what hides its exit code`;
    notes.push({about: name, text});
  }
  if (rewrittenBy !== undefined && kind === "test") {
    const text = `the output of \`${command}\` goes through \`${rewrittenBy}\`: tests are counted only if the runner writes a report. Remove the filter`;
    notes.push({about: name, text});
  }
  return notes;
}

/** The proposal of one ecosystem for one folder. */
interface RootProposal extends Required<Pick<Proposal, "notes" | "notRun" | "ciCalls">> {
  readonly root: string;
  readonly where: Ecosystem["where"];
  readonly stages: readonly CandidateStage[];
  readonly setup: readonly SetupStep[];
}

function collectProposals(project: Project, ecosystems: readonly Ecosystem[]): RootProposal[] {
  project.indexBasenames(ecosystems.flatMap(({manifests}) => manifests.filter((pattern) => !pattern.includes("/"))));
  const proposals: RootProposal[] = [];
  const knownRoots = new Set<string>(["."]);
  const anywhereFirst = [...ecosystems].sort((a, b) => Number(a.where === "beside") - Number(b.where === "beside"));
  for (const ecosystem of anywhereFirst) {
    const {name, where} = ecosystem;
    const roots = findRoots(project, ecosystem).filter((root) => where === "anywhere" || knownRoots.has(root));
    const coveredFolders = new Set<string>();
    let count = 0;
    for (const root of roots) {
      if (coveredFolders.has(root)) continue;
      if (++count > MAX_ROOTS) {
        const text = `only the first ${MAX_ROOTS} of ${roots.length} projects were considered`;
        proposals.push({
          root: ".",
          where,
          stages: [],
          setup: [],
          notes: [{about: name, text}],
          notRun: [],
          ciCalls: [],
        });
        break;
      }
      const folder = {project, root};
      const proposal = ecosystem.detect(folder);
      const {notes = [], notRun = [], ciCalls = [], covers = []} = proposal;
      for (const other of covers) coveredFolders.add(other);
      if (where === "anywhere") knownRoots.add(root);
      const [stages, setup] = [candidatesOf(folder, proposal), setupOf(folder, proposal)];
      proposals.push({root, where, stages, setup, notes, notRun, ciCalls});
    }
  }
  return dropUnmentioned(project, proposals);
}

/**
 * If the root is a project itself, a nested project counts only if CI mentions it, or a task runner if there is CI. A
 * folder that only supports the root project, such as its website or its tools, does not count at all.
 */
function dropUnmentioned(project: Project, proposals: readonly RootProposal[]): RootProposal[] {
  // A project without stages needs no setup, unless CI runs commands in its folder.
  const foldersOfCi = new Set(
    proposals.filter(({root}) => root === ".").flatMap(({stages}) => stages.map(({cwd}) => cwd)),
  );
  const neededProposals = proposals.map((one) =>
    one.root === "." || one.stages.length > 0 || foldersOfCi.has(one.root) ? one : {...one, setup: []},
  );
  const hasNested = proposals.some(({root, stages}) => root !== "." && stages.length > 0);
  const isRootProject = proposals.some(
    ({root, where, stages}) => root === "." && where === "anywhere" && stages.length > 0,
  );
  if (!hasNested || !isRootProject) return neededProposals;
  const mentions = readMentions(project);
  return neededProposals.map((proposal) => {
    const {root, stages, notes} = proposal;
    const why = isSupportFolder(root)
      ? "it only supports the project in the root folder"
      : mentions.ci && !mentions.has(root)
        ? "neither CI nor a task runner of the root folder mentions it"
        : isBuiltByBazel(project, root) && !foldersOfCi.has(root)
          ? "Bazel builds it"
          : null;
    if (root === "." || why === null || stages.length === 0) return proposal;
    const skipNote = {about: root, text: `this project is skipped: ${why}`};
    return {...proposal, stages: [], setup: [], notes: [...notes, skipNote], notRun: []};
  });
}

/** True for a package of a Bazel workspace: the manifest next to its build file only names dependencies. */
const isBuiltByBazel = (project: Project, root: string): boolean =>
  ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"].some((name) => project.has(name)) &&
  ["BUILD", "BUILD.bazel"].some((name) => project.has(`${root}/${name}`));

const NAMES_STEP = "add the step `";

/** Gives a target or CI command the PATH and variables of the other stages in its folder, such as `.venv/bin`. */
function shareEnvironment(candidates: readonly CandidateStage[], setup: readonly SetupStep[]): CandidateStage[] {
  const byFolder = new Map(candidates.map(({cwd}): [string, CandidateStage[]] => [cwd, []]));
  for (const candidate of candidates) byFolder.get(candidate.cwd)?.push(candidate);
  return candidates.map((candidate) => {
    if (candidate.path !== undefined) return candidate;
    const sameFolder = byFolder.get(candidate.cwd) ?? [];
    const environments = setup.filter(({cwd}) => cwd === candidate.cwd).flatMap(({provides}) => provides);
    const ownPath = environments.filter((path) => path.endsWith(".venv")).map((path) => `${path}/bin`);
    const path = [...new Set([...sameFolder.flatMap((other) => other.path ?? []), ...ownPath])];
    // What only some steps of CI set is not for the others.
    const ofCi = sameFolder.filter(({evidence}) => evidence === "ci");
    const shared = sameFolder.flatMap(({env = {}, evidence}) =>
      Object.entries(env).filter(
        ([name, value]) => evidence !== "ci" || ofCi.every((other) => other.env?.[name] === value),
      ),
    );
    // What the environment installs, no step has to install before (kjd/idna: `mypy`, hukkin/tomli: `coverage`); and the
    // step of a toolchain says more than the file of CI that has one (muesli/reflow).
    const known = sameFolder.flatMap((other) =>
      other.tools.filter(({hint}) => hint === INSTALLED || hint.startsWith(NAMES_STEP)),
    );
    const wordsOfSetup = setup
      .filter(({cwd}) => cwd === candidate.cwd)
      .flatMap(({command}) => command.split("&&"))
      .filter((line) => line.includes(" install "))
      .flatMap((line) => line.split(" "));
    const tools = candidate.tools.map(
      (tool) =>
        known.find(({name}) => name === tool.name) ??
        (tool.hint.includes(" in a step before ") && wordsOfSetup.includes(tool.name)
          ? {...tool, hint: INSTALLED}
          : tool),
    );
    return {...candidate, path, tools, env: {...Object.fromEntries(shared), ...candidate.env}};
  });
}

/** The set-up: an install of CI in the place of the one that manifests suggest for the same folder. */
function distinctSetup(proposals: readonly RootProposal[]): SetupStep[] {
  const steps = new Map<string, SetupStep>();
  const ofCi = proposals.filter(({ciCalls}) => ciCalls.length > 0).flatMap(({setup}) => setup);
  for (const guessed of proposals.flatMap(({setup}) => setup)) {
    const fills = ({cwd, provides}: SetupStep): boolean =>
      cwd === guessed.cwd && provides.some((path) => guessed.provides.includes(path));
    const written = servesSomeChecks(guessed) ? guessed : (ofCi.find(fills) ?? guessed);
    const {command, origin} = written;
    const key = `${guessed.cwd} ${command}`;
    if (!steps.has(key)) steps.set(key, {...guessed, command, origin});
  }
  return [...steps.values()];
}

function limitNotes(notes: readonly Note[]): Note[] {
  const distinct = [...new Map(notes.map((note) => [`${note.about} ${note.text}`, note])).values()];
  if (distinct.length <= MAX_NOTES) return distinct;
  return [
    ...distinct.slice(0, MAX_NOTES),
    {about: ".", text: `${distinct.length - MAX_NOTES} more notes are not shown`},
  ];
}
