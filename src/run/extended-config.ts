/** Reads the file that verify.json extends: once when the run is admitted, and the same text in all of its jobs. */
import type {ReadExtended} from "../detect/config/read-config.ts";
import {ok, refused} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {RunContext} from "./run-context.ts";

/** From the default branch of its repository, or from the job that admitted the run. */
export function extendedOf({context, admission}: Pick<AdmittedRun, "context" | "admission">): ReadExtended {
  const extended = admission?.extended;
  if (extended !== undefined) return async () => ok(extended);
  return admission === null ? readFromGitHub(context) : async () => refused("the job `admit` has not passed it on");
}

const MAX_CHARS = 64 * 1024;

export function readFromGitHub({inputs, runner, log}: Pick<RunContext, "inputs" | "runner" | "log">): ReadExtended {
  return async ({repository, path}) => {
    const [owner] = runner.repository.split("/");
    if (repository.split("/")[0]?.toLowerCase() !== owner?.toLowerCase())
      return refused(`name a repository of ${owner}, because its file decides what must pass here`);
    const {connect} = await import("../github/client.ts");
    const token = inputs["policy-token"] || inputs["github-token"];
    const file = await connect({token, apiUrl: runner.apiUrl, repository, log}).fileOnDefaultBranch(path);
    if (!file.ok) return file;
    if (file.value === null)
      return refused("add the file to its default branch, or let the input `policy-token` read contents there");
    // It is handed from job to job.
    if (file.value.text.length > MAX_CHARS) return refused(`write at most ${MAX_CHARS} characters`);
    return ok({file: `${repository}/${path}@${file.value.commit}`, text: file.value.text});
  };
}
