/** Applies the proofs of earlier runs to a plan. A stored proof only adds: it removes and relaxes nothing. */
import {createHash} from "node:crypto";
import {posix} from "node:path";
import {z} from "zod";
import {matchesWhen} from "../../changes/when.ts";
import {ECOSYSTEMS} from "../../detect/ecosystems/index.ts";
import {foldersUpFrom, type Project} from "../../detect/files/project.ts";
import {parseJson} from "../../record/parse-json.ts";
import type {CiCommandReport, Note, Plan, Stage} from "../../record/plan.ts";
import {proofOutcomeSchema} from "../../record/proof.ts";
import {splitShell} from "../../shell/split.ts";
import {listedCandidates} from "./candidates.ts";
import {wordProof} from "./proof-outcome.ts";

/** No output of the line is stored, because it may contain secrets. */
const storedProofSchema = z.object({
  key: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  outcome: proofOutcomeSchema,
});
export type StoredProof = z.infer<typeof storedProofSchema>;

/** The proofs in the text of a file of proofs; what is not one is left out. */
export function parseProofs(text: string): StoredProof[] {
  const list = z.array(z.unknown()).safeParse(parseJson(text));
  return (list.data ?? []).flatMap((one) => storedProofSchema.safeParse(one).data ?? []);
}

/** What a proof depends on in addition to the plan. */
export interface ProofContext {
  /** the files of the commit that the plan is made of */
  readonly project: Project;
  /** the versions that the programs of `programsOf` print */
  readonly versions: ReadonlyMap<string, string>;
}

/** The programs whose versions the proofs depend on: those that the plan knows, because the others are never started here. */
export const programsOf = ({setup, stages}: Plan): Set<string> =>
  new Set([...setup, ...stages].flatMap(({tools}) => tools.map(({name}) => name)));

/** Identifies the line, the set-up, the programs that they start, and the files that define them. */
export function proofKey(stage: Stage, {setup}: Pick<Plan, "setup">, {project, versions}: ProofContext): string {
  const {command, cwd, env, path, needs} = stage;
  const steps = setup.map(({command, cwd, ownScript}) => ({command, cwd, ownScript}));
  const lines = [...setup, stage];
  const folders = [...new Set(lines.map((line) => line.cwd))];
  const words = lines.flatMap((line) => splitShell(line.command) ?? []).flatMap((line) => line.words);
  const names = [...words, ...lines.flatMap(({tools}) => tools.map(({name}) => name))];
  const programs = [...versions].filter(([name]) => names.includes(name)).sort();
  const inputs = setup.flatMap((step) => step.inputs).filter((glob) => glob !== "**");
  const files = definingFiles({project, folders, inputs, words});
  const digests = files.map((file) => [file, sha256(project.text(file) ?? "")]);
  return sha256(JSON.stringify({command, cwd, env, path, needs, steps, programs, digests}));
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const MANIFESTS = [...new Set(ECOSYSTEMS.flatMap(({manifests}) => manifests))].filter((name) => !name.includes("/"));

/** Manifests in the folders and above, the inputs of the set-up, and the files that the lines name. */
function definingFiles(options: {
  project: Project;
  folders: readonly string[];
  inputs: readonly string[];
  words: readonly string[];
}): string[] {
  const {project, folders, inputs, words} = options;
  const above = [...new Set(folders.flatMap(foldersUpFrom))];
  const manifests = above.flatMap((folder) =>
    project.inFolder(folder).filter((path) => matchesWhen(posix.basename(path), MANIFESTS)),
  );
  const named = folders.flatMap((folder) => words.map((word) => posix.join(folder, word)));
  const found = inputs.flatMap((glob) =>
    project.named(posix.basename(glob)).filter((path) => matchesWhen(path, [glob])),
  );
  return [...new Set([...manifests, ...found, ...named.filter((path) => project.has(path))])].sort();
}

/**
 * The plan with what earlier runs observed: a proved stage is required, a proved line of CI is a stage, and the others
 * have the observed reason. Never fewer stages, and never a required stage that is optional.
 */
export function withProofs(plan: Plan, stored: readonly StoredProof[], context: ProofContext): Plan {
  if (stored.length === 0) return plan;
  const proofs = new Map(stored.map((proof) => [proof.key, proof]));
  const proofOf = (stage: Stage) => proofs.get(proofKey(stage, plan, context));
  const notes: Note[] = [];
  const stages = plan.stages.map((stage) => {
    const proof = stage.unproved === true ? proofOf(stage) : undefined;
    if (proof === undefined) return stage;
    if (proof.outcome.kind !== "proved") {
      notes.push({about: stage.name, text: `${seenIn(proof)}: ${wordProof(proof.outcome)}`});
      return stage;
    }
    return {...asProved(stage), origin: withWhy(stage, proof)};
  });
  const names = new Set(stages.map(({name}) => name));
  const decided = new Map<CiCommandReport, CiCommandReport["outcome"]>();
  for (const {stage, listed} of listedCandidates(plan)) {
    const proof = proofOf(stage);
    if (proof === undefined || listed?.outcome.kind !== "listed") continue;
    const isStage = proof.outcome.kind === "proved" && !names.has(stage.name);
    if (isStage) stages.push({...stage, origin: withWhy(stage, proof)});
    names.add(stage.name);
    const why = `${seenIn(proof)}: ${wordProof(proof.outcome)}`;
    decided.set(listed, isStage ? {kind: "stage", stage: stage.name} : {...listed.outcome, why});
  }
  const ci = plan.ci?.map((command) => ({...command, outcome: decided.get(command) ?? command.outcome}));
  return {...plan, stages, ...(ci && {ci}), notes: [...plan.notes, ...notes]};
}

/** A stage that one run on the base has proved: required, unless it is a lint, which the detected ones never are. */
export function asProved({unproved, ...stage}: Stage): Stage {
  return unproved === true ? {...stage, optional: stage.kind === "lint"} : stage;
}

/** With the day, because the sources that the line reads may have changed since. */
const seenIn = ({at}: StoredProof): string => `one run without a change on ${at.slice(0, 10)}`;

const withWhy = ({origin}: Stage, proof: StoredProof): Stage["origin"] => ({
  ...origin,
  why: `${origin.why}; it passed in ${seenIn(proof)}`,
});
