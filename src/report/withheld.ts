/** Renders the end of a dry run's summary: the comments and pushes that were not sent. */
import type {WithheldWrite} from "../github/withhold-writes.ts";
import {clip, codeSpan, fence} from "../markdown/escape.ts";
import {branchOf} from "../publish/target.ts";
import {short} from "./format.ts";
import {details} from "./stages.ts";

const MAX_CHARS = 300;

/** Lists the writes that a dry run did not send. Only the last version of a comment is shown. */
export function renderWithheld(withheld: readonly WithheldWrite[]): string {
  const comment = withheld.findLast((write) => write.kind === "comment");
  const otherWrites = withheld.filter((write) => write.kind !== "comment");
  const items = [...(comment === undefined ? [] : [comment]), ...otherWrites].map((write) => `- ${sentence(write)}`);
  if (items.length === 0) return "**Dry run:** nothing was written to GitHub, and nothing would have been.\n";
  const texts = withheld.flatMap((write) => (write.kind === "pull-request" ? [write] : []));
  return [
    "**Dry run:** nothing was written to GitHub. Without it, Assay would:",
    [...new Set(items)].join("\n"),
    ...texts.map(({body}) => details("Text of the pull request", [fence(body, "markdown")])),
    ...(comment === undefined ? [] : [details("Text of the comment", [fence(comment.body, "markdown")])]),
    "",
  ].join("\n\n");
}

function sentence(write: WithheldWrite): string {
  switch (write.kind) {
    case "comment":
      return "post one comment in the thread";
    case "reaction":
      return `react with ${codeSpan(write.content)}`;
    case "push": {
      const ref = codeSpan(clip(branchOf(write.ref), MAX_CHARS));
      return write.commit === null ? `delete ${ref}` : `push commit \`${short(write.commit)}\` to ${ref}`;
    }
    case "pull-request": {
      const [title, head, base] = [write.title, write.head, write.base].map((text) => codeSpan(clip(text, MAX_CHARS)));
      return `open or update the pull request ${title} from ${head} into ${base}`;
    }
    case "cancellation":
      return `cancel the workflow run ${codeSpan(write.workflowRun)}`;
    case "review-request":
      return `request a review from ${codeSpan(write.reviewer)}`;
    case "labels":
      return `label the pull request ${write.labels.map((label) => codeSpan(clip(label, MAX_CHARS))).join(", ")}`;
    case "check":
      return `set ${codeSpan(write.name)} to ${codeSpan(write.conclusion)} on \`${short(write.commit)}\``;
  }
}
