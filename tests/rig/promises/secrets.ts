/** Promises about secrets: tokens and keys are in nothing that anybody can read afterwards, and in few hands before. */
import {ENCODINGS} from "../encodings.ts";
import {gitBytes} from "../git.ts";
import type {PromiseCheck, Seen} from "./seen.ts";

export const secretChecks: readonly PromiseCheck[] = [
  {id: "P11", broken: noSecretAnywhere},
  {id: "P12", broken: ({outcome}) => outcome.tokenHolders.map((command) => `the token was given to: ${command}`)},
];

async function noSecretAnywhere({outcome, origin}: Seen): Promise<string[]> {
  const objects = await gitBytes(origin.folder, ["cat-file", "--batch", "--batch-all-objects", "--unordered"]);
  const places = {
    "the log": outcome.log,
    "the record": JSON.stringify(outcome.record),
    "the job summary": outcome.summary,
    "the outputs": JSON.stringify(outcome.outputs),
    "the comments": [...outcome.comments, ...outcome.notices].map(({body}) => body).join("\n"),
    "the pull requests": outcome.pullRequests.map(({title, body}) => `${title}\n${body}`).join("\n"),
    "the repository": objects.toString("latin1"),
  };
  return outcome.secrets.flatMap((secret, index) => {
    // in every usual disguise, and as it stands in the header that actions/checkout leaves
    const plain = Object.values(ENCODINGS).map((encode) => encode(secret));
    const forms = [...plain, Buffer.from(`x-access-token:${secret}`).toString("base64")];
    const hit = Object.entries(places).filter(([, text]) => forms.some((form) => text.includes(form)));
    // by its number: this sentence is printed
    return hit.map(([place]) => `secret ${index + 1} stands in ${place}`);
  });
}
