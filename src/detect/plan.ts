/** The plan: which commands must pass in this tree, in which order, and why. */
import type {Failure} from "../record/failure.ts";
import type {Note, NotRun, Plan, SetupStep, Stage} from "../record/plan.ts";
import {ok, type Result, STAGE_KINDS} from "../record/words.ts";
import {readMentions} from "./ci/mentioned-folders.ts";
import {servicesOfCi} from "./ci/services.ts";
import {findWeakness, OWN_COMMAND} from "./command-analysis/cannot-fail.ts";
import {findCountingRunner} from "./command-analysis/counting-runner.ts";
import {explainEarlyStop} from "./command-analysis/stops-early.ts";
import {applyConfig} from "./config/apply-config.ts";
import type {Config} from "./config/config.ts";
import {SETUP_TIMEOUT, TIMEOUTS} from "./config/default-timeouts.ts";
import {ECOSYSTEMS} from "./ecosystems/index.ts";
import type {Project} from "./files/project.ts";
import type {CandidateStage, Ecosystem, Proposal} from "./proposals/ecosystem.ts";
import {findRoots, isSupportFolder, MAX_ROOTS} from "./proposals/project-roots.ts";
import {keepAffected} from "./selection/affected-projects.ts";
import {findNeededProjects} from "./selection/dependents.ts";
import {selectStages} from "./selection/select-stages.ts";
import {listUnusedConfigs} from "./selection/unused-configs.ts";

/** How many notes a plan carries; a project that gives more is told in the last one. */
const MAX_NOTES = 200;

/**
 * Plans the stages of a tree. Pure but for the reads of `project`; nothing of the repository runs. With `changed` (paths),
 * only the projects that a change touches, and those that need them; a change outside every project, or of the tree's own root, means all.
 * Fails only where `config` names a stage that there is none of.
 */
export function plan(options: {
  project: Project;
  config: Config;
  changed?: readonly string[];
  ecosystems?: readonly Ecosystem[];
}): Result<Plan, Failure> {
  const {project, config} = options;
  const proposals =
    config.stages === null || config.setup === null ? ask(project, options.ecosystems ?? ECOSYSTEMS) : [];
  const chosen = selectStages(withSurroundings(proposals.flatMap((proposal) => proposal.stages)));
  const stages = inOrder(named(chosen.stages));
  const setup = distinctSetup(proposals).filter((step) => stages.length > 0 || step.cwd === ".");
  const decided = applyConfig({config, stages, setup});
  if (!decided.ok) return decided;
  const narrowed = keepAffected({
    ...decided.value,
    changed: options.changed ?? null,
    own: config.stages !== null,
    needs: (folders) => findNeededProjects(project, folders),
  });
  const {setup: steps} = narrowed;
  const services = servicesOfCi(project).map(({name}) => name);
  const planned = narrowed.stages.map((stage) => withServices(withEvidence(stage, project), services));
  const notes = bounded([
    ...config.withoutEffect.map((key) => ({about: `${config.file}: ${key}`, text: "this key has no effect yet"})),
    ...proposals.flatMap((proposal) => proposal.notes),
    ...chosen.notes,
    ...narrowed.notes,
    ...project.notes,
    ...planned.flatMap(weaknessNotes),
  ]);
  const notRun = config.stages === null ? notRunOf({project, proposals, drafts: chosen.stages}) : [];
  return ok({schema: "assay.plan/1", stages: planned, setup: steps, notRun, notes});
}

/** Tests are what connects to a service. */
function withServices(stage: Stage, services: readonly string[]): Stage {
  const isTest = stage.kind === "test" || stage.kind === "check";
  return isTest && services.length > 0 ? {...stage, services: [...services]} : stage;
}

/** What the stage's exit code and output are worth as evidence (P6). */
function withEvidence(stage: Stage, project: Project): Stage {
  const where = {project, cwd: stage.cwd};
  const {swallowedIn, rewrittenBy} = findWeakness(stage.command, where);
  const countedBy = stage.kind === "test" ? findCountingRunner(stage.command, {...where, env: stage.env}) : null;
  const isTest = stage.kind === "test" || stage.kind === "check";
  const stopsEarly = isTest ? explainEarlyStop(stage.command, where) : "";
  return {
    ...stage,
    ...(swallowedIn !== null && {swallowedIn}),
    ...(rewrittenBy !== null && {rewrittenBy}),
    ...(countedBy !== null && {countedBy}),
    ...(stopsEarly !== "" && {stopsEarly}),
  };
}

/** A test stage that cannot fail is evidence only by the passed tests that it counts (P6). */
function weaknessNotes({name, kind, command, swallowedIn, rewrittenBy}: Stage): Note[] {
  const notes: Note[] = [];
  if (swallowedIn !== undefined) {
    const place = swallowedIn === OWN_COMMAND ? "" : ` (${swallowedIn})`;
    const so = kind === "test" ? "it passes only where passed tests are counted in its output" : "it checks nothing";
    const text = `\`${command}\` always ends with exit code 0${place}: ${so}. Remove what hides its exit code`;
    notes.push({about: name, text});
  }
  if (rewrittenBy !== undefined && kind === "test") {
    const text = `the output of \`${command}\` goes through \`${rewrittenBy}\`: tests are counted only where the runner writes a report. Remove the filter`;
    notes.push({about: name, text});
  }
  return notes;
}

/** Checks that are asked for and are no stages, in the folders that the plan looks at. The owner's own `stages` are the owner's word. */
function notRunOf(o: {project: Project; proposals: readonly Answer[]; drafts: readonly CandidateStage[]}): NotRun[] {
  const {project, proposals, drafts} = o;
  const used = drafts.map(({cwd}) => cwd);
  const roots = proposals.filter(({root}) => used.length === 0 && !isSupportFolder(root)).map(({root}) => root);
  return [
    ...proposals.flatMap(({notRun = []}) => notRun),
    ...listUnusedConfigs({project, folders: [".", ...used, ...roots], drafts}),
  ];
}

/** What one ecosystem proposes for one folder. */
interface Answer extends Proposal {
  readonly root: string;
  readonly where: Ecosystem["where"];
}

function ask(project: Project, ecosystems: readonly Ecosystem[]): Answer[] {
  project.seek(ecosystems.flatMap(({manifests}) => manifests.filter((pattern) => !pattern.includes("/"))));
  const proposals: Answer[] = [];
  const roots = new Set<string>(["."]);
  const anywhereFirst = [...ecosystems].sort((a, b) => Number(a.where === "beside") - Number(b.where === "beside"));
  for (const ecosystem of anywhereFirst) {
    const covered = new Set<string>();
    const found = findRoots(project, ecosystem).filter((root) => ecosystem.where === "anywhere" || roots.has(root));
    let asked = 0;
    for (const root of found) {
      if (covered.has(root)) continue;
      if (++asked > MAX_ROOTS) {
        proposals.push({
          root: ".",
          where: ecosystem.where,
          stages: [],
          setup: [],
          notes: [
            {about: ecosystem.name, text: `only the first ${MAX_ROOTS} of ${found.length} projects were looked at`},
          ],
        });
        break;
      }
      const proposal = ecosystem.detect({project, root});
      for (const folder of proposal.covers ?? []) covered.add(folder);
      if (ecosystem.where === "anywhere") roots.add(root);
      proposals.push({...proposal, root, where: ecosystem.where});
    }
  }
  return withoutStrangers(project, proposals);
}

/**
 * Where the root is a project itself, a nested one counts only if the maintainers speak of it: their CI where there is some,
 * or a task runner. A folder that only serves the root (its website, its tools) does not count at all.
 */
function withoutStrangers(project: Project, answers: readonly Answer[]): Answer[] {
  // What nothing checks needs no set-up either.
  const needed = answers.map((one) => (one.root === "." || one.stages.length > 0 ? one : {...one, setup: []}));
  const nested = answers.some((answer) => answer.root !== "." && answer.stages.length > 0);
  const main = answers.some(({root, where, stages}) => root === "." && where === "anywhere" && stages.length > 0);
  if (!nested || !main) return needed;
  const mentions = readMentions(project);
  return needed.map((answer) => {
    const {root} = answer;
    const why = isSupportFolder(root)
      ? "it serves the project of the root"
      : mentions.ci && !mentions.has(root)
        ? "neither CI nor a task runner of the root speaks of it"
        : null;
    if (root === "." || why === null || answer.stages.length === 0) return answer;
    const notes = [...answer.notes, {about: root, text: `this project is passed over: ${why}`}];
    return {root, where: answer.where, stages: [], setup: [], notes};
  });
}

/** A target or CI line finds the programs that the languages of its folder install, such as those of `.venv/bin`. */
function withSurroundings(drafts: readonly CandidateStage[]): CandidateStage[] {
  const byFolder = new Map<string, CandidateStage[]>();
  for (const draft of drafts) {
    const beside = byFolder.get(draft.cwd);
    if (beside === undefined) byFolder.set(draft.cwd, [draft]);
    else beside.push(draft);
  }
  return drafts.map((draft) => {
    if (draft.path !== undefined) return draft;
    const beside = byFolder.get(draft.cwd) ?? [];
    const path = [...new Set(beside.flatMap((other) => other.path ?? []))];
    return {...draft, path, env: {...Object.assign({}, ...beside.map((other) => other.env)), ...draft.env}};
  });
}

function named(drafts: readonly CandidateStage[]): Stage[] {
  const taken = new Set<string>();
  // The plain name goes to the draft that has no other.
  const plainFirst = [...drafts].sort((a, b) => Number(Boolean(a.label)) - Number(Boolean(b.label)));
  return plainFirst.map((draft) => {
    const place = draft.cwd === "." ? "" : `${draft.cwd}:`;
    const wanted = [`${place}${draft.kind}`, ...(draft.label ? [`${place}${draft.kind}:${draft.label}`] : [])];
    let name = wanted.find((candidate) => !taken.has(candidate));
    for (let n = 2; name === undefined; n++) if (!taken.has(`${wanted.at(-1)}-${n}`)) name = `${wanted.at(-1)}-${n}`;
    taken.add(name);
    return {
      name,
      kind: draft.kind,
      command: draft.command,
      cwd: draft.cwd,
      timeout: draft.timeout ?? TIMEOUTS[draft.kind],
      optional: draft.optional ?? draft.kind === "lint",
      env: {...draft.env},
      when: [],
      needs: [],
      path: [...(draft.path ?? [])],
      tools: draft.tools,
      origin: draft.origin,
    };
  });
}

/** By kind in the order of the words, then the root before nested projects. */
function inOrder(stages: readonly Stage[]): Stage[] {
  const depth = (stage: Stage): number => (stage.cwd === "." ? 0 : stage.cwd.split("/").length);
  return [...stages].sort(
    (a, b) =>
      STAGE_KINDS.indexOf(a.kind) - STAGE_KINDS.indexOf(b.kind) ||
      depth(a) - depth(b) ||
      (a.cwd < b.cwd ? -1 : Number(a.cwd > b.cwd)),
  );
}

function distinctSetup(proposals: readonly Proposal[]): SetupStep[] {
  const steps = new Map<string, SetupStep>();
  for (const draft of proposals.flatMap((proposal) => proposal.setup)) {
    const key = `${draft.cwd} ${draft.command}`;
    if (!steps.has(key)) steps.set(key, {...draft, timeout: draft.timeout ?? SETUP_TIMEOUT});
  }
  return [...steps.values()];
}

function bounded(notes: readonly Note[]): Note[] {
  const distinct = [...new Map(notes.map((note) => [`${note.about} ${note.text}`, note])).values()];
  if (distinct.length <= MAX_NOTES) return distinct;
  return [
    ...distinct.slice(0, MAX_NOTES),
    {about: ".", text: `${distinct.length - MAX_NOTES} more notes are left out`},
  ];
}
