/** The option `--policy FILE`: an organization's policy that this machine has as a file. */
import {readFile} from "node:fs/promises";
import {type Config, rejectConfig} from "../detect/config/config.ts";
import type {Failure} from "../record/failure.ts";
import type {Note} from "../record/plan.ts";
import {ok, type Result} from "../record/words.ts";

/** The configuration within the policy, and a note that names what became stricter. Without a file, as it is. */
export async function withPolicy(
  config: Config,
  file: string | undefined,
): Promise<Result<{config: Config; notes: Note[]}, Failure>> {
  if (file === undefined) return ok({config, notes: []});
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null)
    return rejectConfig(file, [{path: "(the whole file)", message: "cannot be read", hint: "correct the path"}]);
  const {parsePolicy, tighten, tightenedKeys} = await import("../detect/config/organization-policy.ts");
  const policy = parsePolicy({file, text});
  if (!policy.ok) return policy;
  const keys = tightenedKeys(config, policy.value).map((key) => `\`${key}\``);
  const ofRuns = ["enabled", "requesters", "agents", "models"].filter((key) => key in policy.value);
  const stricter = keys.length === 0 ? "makes nothing stricter here" : `makes ${keys.join(", ")} stricter`;
  const decides = ofRuns.length === 0 ? "" : `, and decides on GitHub about ${ofRuns.join(", ")}`;
  const central = policy.value.allRepositories && "; `allRepositories` holds only with the input `policy-token`";
  const note = {about: file, text: `${stricter}${decides}${central ?? ""}`};
  return ok({config: tighten(config, policy.value), notes: [note]});
}
