/** Keeps the proofs of this person's repositories in the state folder of the home, which no checked command can see. */
import {createHash} from "node:crypto";
import {existsSync, readFileSync, realpathSync} from "node:fs";
import {mkdir, rename, rm, writeFile} from "node:fs/promises";
import {homedir} from "node:os";
import {dirname, join} from "node:path";
import type {Project} from "../detect/files/project.ts";
import {installedVersions} from "../engine/program-versions.ts";
import type {ProofContext, StoredProof} from "../proof/prove/stored-proofs.ts";
import type {Plan} from "../record/plan.ts";

const MAX_PROOFS = 500;

/** In the home and not in the repository: neither a change nor a confined command can write it (XDG base directories). */
function fileOf(folder: string): string {
  const state = process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state");
  const name = createHash("sha256").update(realpathSync(folder)).digest("hex").slice(0, 32);
  return join(state, "assay", "proofs", `${name}.json`);
}

/** The stored proofs, and why they cannot be read; a file that is missing has none. */
async function readProofs(folder: string): Promise<{proofs: StoredProof[]; problem: string | null}> {
  if (!existsSync(fileOf(folder))) return {proofs: [], problem: null};
  const {parseProofs} = await import("../proof/prove/stored-proofs.ts");
  try {
    return {proofs: parseProofs(readFileSync(fileOf(folder), "utf8")), problem: null};
  } catch (error) {
    return {proofs: [], problem: codeOf(error)};
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown error";

/** The plan with the stored proofs of the repository in `folder`. Loads and starts nothing if there are none. */
export async function withStoredProofs(plan: Plan, options: {folder: string; project: Project}): Promise<Plan> {
  const {proofs, problem} = await readProofs(options.folder);
  if (problem !== null) {
    const text = `${fileOf(options.folder)} cannot be read (${problem}), so no stored proof counts. Remove it`;
    return {...plan, notes: [...plan.notes, {about: "proofs", text}]};
  }
  if (proofs.length === 0) return plan;
  const {withProofs} = await import("../proof/prove/stored-proofs.ts");
  return withProofs(plan, proofs, await proofContext(plan, options));
}

/** The circumstances of this machine, which asks each program of the plan for its version. */
export async function proofContext(
  plan: Plan,
  {folder, project}: {folder: string; project: Project},
): Promise<ProofContext> {
  const {programsOf} = await import("../proof/prove/stored-proofs.ts");
  return {project, versions: await installedVersions(programsOf(plan), {folder, variables: process.env})};
}

/**
 * Adds the proofs to the stored ones; a newer one of the same line replaces the older. Returns a sentence if they cannot
 * be stored, and null if they are.
 */
export async function storeProofs(folder: string, proofs: readonly StoredProof[]): Promise<string | null> {
  const file = fileOf(folder);
  const earlier = (await readProofs(folder)).proofs;
  const newKeys = new Set(proofs.map(({key}) => key));
  const kept = [...proofs, ...earlier.filter(({key}) => !newKeys.has(key))].slice(0, MAX_PROOFS);
  // Two commands may end at the same time; neither reads half a file.
  const ownFile = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), {recursive: true, mode: 0o700});
    await writeFile(ownFile, `[\n${kept.map((proof) => JSON.stringify(proof)).join(",\n")}\n]\n`, {mode: 0o600});
    await rename(ownFile, file);
    return null;
  } catch (error) {
    await rm(ownFile, {force: true}).catch(() => undefined);
    return `The results cannot be stored in ${file} (${codeOf(error)}), so the next run does not know them. Make it writable.`;
  }
}
