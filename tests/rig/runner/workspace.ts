/** Leaves a checkout as `actions/checkout` leaves one: one commit deep, with the job's token in its git config. */
import {mkdir, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {gitInOrder} from "../git.ts";

export async function checkOut(o: {
  folder: string;
  /** the git server's address, without a slash at the end */
  server: string;
  repository: string;
  token: string;
  /** such as `main` */
  branch: string;
  /** a commit instead of the branch's newest; empty for none */
  ref?: string;
  /** false: `persist-credentials: false`, and no token stays */
  persist: boolean;
}): Promise<void> {
  await mkdir(o.folder, {recursive: true});
  const key = `http.${o.server}/.extraheader`;
  const placeholder = "AUTHORIZATION: basic ***";
  await gitInOrder(o.folder, [
    ["init", "-q"],
    ["remote", "add", "origin", `${o.server}/${o.repository}`],
    ["config", "gc.auto", "0"],
    ["config", key, placeholder],
  ]);
  // as actions/checkout does it, so that the token is in no command line
  const config = join(o.folder, ".git", "config");
  const basic = Buffer.from(`x-access-token:${o.token}`).toString("base64");
  await writeFile(config, (await readFile(config, "utf8")).replace(placeholder, `AUTHORIZATION: basic ${basic}`));
  const remote = `refs/remotes/origin/${o.branch}`;
  const taken = o.ref
    ? [
        ["fetch", "-q", "--no-tags", "--depth=1", "origin", o.ref],
        ["checkout", "-q", "--force", "--detach", o.ref],
      ]
    : [["checkout", "-q", "--force", "-B", o.branch, remote]];
  await gitInOrder(o.folder, [
    ["fetch", "-q", "--no-tags", "--prune", "--depth=1", "origin", `+refs/heads/${o.branch}:${remote}`],
    ...taken,
    ...(o.persist ? [] : [["config", "--unset-all", key]]),
  ]);
}
