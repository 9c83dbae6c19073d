/** Leaves a checkout as `actions/checkout` leaves one: one commit deep, with the job's token in its git config. */
import {mkdir, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {gitInOrder} from "../git.ts";

export async function checkOut(options: {
  folder: string;
  /** the git server's address, without a slash at the end */
  server: string;
  repository: string;
  token: string;
  /** such as `main` */
  branch: string;
  /** a commit instead of the branch's newest; empty or the branch for none */
  ref?: string;
  /** false: `persist-credentials: false`, and no token stays */
  persist: boolean;
}): Promise<void> {
  await mkdir(options.folder, {recursive: true});
  const key = `http.${options.server}/.extraheader`;
  const placeholder = "AUTHORIZATION: basic ***";
  await gitInOrder(options.folder, [
    ["init", "-q"],
    ["remote", "add", "origin", `${options.server}/${options.repository}`],
    ["config", "gc.auto", "0"],
    ["config", key, placeholder],
  ]);
  // as actions/checkout does it, so that the token is in no command line
  const config = join(options.folder, ".git", "config");
  const basic = Buffer.from(`x-access-token:${options.token}`).toString("base64");
  await writeFile(config, (await readFile(config, "utf8")).replace(placeholder, `AUTHORIZATION: basic ${basic}`));
  const remote = `refs/remotes/origin/${options.branch}`;
  const taken =
    options.ref && options.ref !== options.branch
      ? [
          ["fetch", "-q", "--no-tags", "--depth=1", "origin", options.ref],
          ["checkout", "-q", "--force", "--detach", options.ref],
        ]
      : [["checkout", "-q", "--force", "-B", options.branch, remote]];
  await gitInOrder(options.folder, [
    ["fetch", "-q", "--no-tags", "--prune", "--depth=1", "origin", `+refs/heads/${options.branch}:${remote}`],
    ...taken,
    ...(options.persist ? [] : [["config", "--unset-all", key]]),
  ]);
}
