/** A repository for a bench, and how to commit all that lies in it. */
import {execFileSync} from "node:child_process";
import {mkdirSync} from "node:fs";
import {join} from "node:path";

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
