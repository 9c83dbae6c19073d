/** A repository for a bench: how to commit everything in it, and how Assay opens it. */
import {execFileSync} from "node:child_process";
import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {openRepository} from "../src/git/repository.ts";

/** Makes `origin` in the folder; `commit` gives the ids of the new commit and its tree. */
export function openOrigin(folder) {
  const origin = join(folder, "origin");
  mkdirSync(origin);
  const git = (...args) => execFileSync("git", args, {cwd: origin, encoding: "utf8"}).trim();
  const commit = (message) => {
    git("add", "-A");
    git("-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "-qm", message);
    return {commit: git("rev-parse", "HEAD"), tree: git("rev-parse", "HEAD^{tree}")};
  };
  git("init", "-q");
  return {origin, git, commit};
}

/** Assay's own repository in `folder`, which fetches from the one in `origin`; throws where it cannot be opened. */
export async function openFrom({origin, folder}) {
  return unwrap(await openRepository({folder, source: {kind: "local", folder: origin}, variables: process.env}));
}

/** What was asked for; throws where it was refused. */
export function unwrap(result) {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}
