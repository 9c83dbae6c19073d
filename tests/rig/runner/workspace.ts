/** Leaves a checkout as `actions/checkout` leaves one: one commit deep, with the job's token in its git config. */
import {mkdir} from "node:fs/promises";
import {git} from "../git.ts";

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
  const run = (...args: string[]) => git(o.folder, args);
  await run("init", "-q");
  await run("remote", "add", "origin", `${o.server}/${o.repository}`);
  await run("config", "gc.auto", "0");
  const key = `http.${o.server}/.extraheader`;
  await run("config", key, `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${o.token}`).toString("base64")}`);
  const remote = `refs/remotes/origin/${o.branch}`;
  await run("fetch", "-q", "--no-tags", "--prune", "--depth=1", "origin", `+refs/heads/${o.branch}:${remote}`);
  if (o.ref) {
    await run("fetch", "-q", "--no-tags", "--depth=1", "origin", o.ref);
    await run("checkout", "-q", "--force", "--detach", o.ref);
  } else await run("checkout", "-q", "--force", "-B", o.branch, remote);
  if (!o.persist) await run("config", "--unset-all", key);
}
