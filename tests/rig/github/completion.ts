/** Brings the emulator's answers to what GitHub says: account types, associations, times, pull request marks, real commit ids. */
import {spawnSync} from "node:child_process";
import {isObject, type Json} from "../json.ts";
import type {Origin} from "../origin.ts";
import {associationOf, type Person} from "./people.ts";
import {shownBody} from "./pictures.ts";

/** Where a pull request comes from that is not of this repository. */
export interface Fork {
  /** `owner/name` */
  readonly repository: string;
  /** the branch there */
  readonly branch: string;
  readonly pushedAt: string;
}

/**
 * Gives the answer's value with the gaps closed. The commits of a pull request's head and base are read from the git
 * server at this moment, as the emulator never sees a push.
 */
export async function complete(
  value: unknown,
  options: {
    people: readonly Person[];
    pullRequests: ReadonlySet<number>;
    forks: ReadonlyMap<number, Fork>;
    /** paths of what was changed since it was made */
    edited: ReadonlySet<string>;
    origin: Origin;
    url: string;
  },
): Promise<unknown> {
  // only a pull request names commits
  const refs = options.pullRequests.size === 0 ? {} : await options.origin.refs();

  function visit(inner: unknown): unknown {
    if (Array.isArray(inner)) return inner.map(visit);
    if (!isObject(inner)) return inner;
    const shown = {...inner, ...shownBody(inner["body"], options.url)};
    const copy: Json = Object.fromEntries(Object.entries(shown).map(([key, part]) => [key, visit(part)]));
    const person = options.people.find((one) => one.login === copy["login"]);
    if (person !== undefined) copy["type"] = person.type;
    const author = isObject(copy["user"]) ? copy["user"]["login"] : undefined;
    const writer = options.people.find((one) => one.login === author);
    if (writer !== undefined && "author_association" in copy) copy["author_association"] = associationOf(writer);
    // the emulator touches each new comment once more itself, sometimes a millisecond later, as if it were edited
    if ("issue_url" in copy && "created_at" in copy && !options.edited.has(new URL(String(copy["url"])).pathname))
      copy["updated_at"] = copy["created_at"];
    const isIssue = "comments_url" in copy && "state_reason" in copy && "labels_url" in copy;
    if (isIssue && typeof copy["number"] === "number" && options.pullRequests.has(copy["number"])) {
      const name = `${options.origin.name}/pull/${copy["number"]}`;
      copy["pull_request"] = {
        url: `${options.url}/repos/${name.replace("/pull/", "/pulls/")}`,
        html_url: `${options.url}/${name}`,
      };
    }
    // the two ends of a pull request: `{label, ref, sha, user, repo}`
    if (typeof copy["ref"] === "string" && "sha" in copy && "label" in copy) {
      const now = refs[`refs/heads/${copy["ref"]}`];
      if (now !== undefined) copy["sha"] = now;
    }
    if ("mergeable_state" in copy) copy["mergeable_state"] = mergeState(options.origin, copy);
    const fork = typeof copy["number"] === "number" ? options.forks.get(copy["number"]) : undefined;
    if (fork && isObject(copy["head"]))
      copy["head"] = headOf(fork, copy["head"], refs[`refs/pull/${copy["number"]}/head`]);
    return copy;
  }
  return visit(value);
}

/** The emulator never merges; GitHub asks git. */
function mergeState({folder}: Origin, {base, head}: Json): string {
  const [ours, theirs] = [base, head].map((end) => (isObject(end) ? String(end["sha"]) : ""));
  const {status} = spawnSync("git", ["merge-tree", "--write-tree", ours ?? "", theirs ?? ""], {cwd: folder});
  return status === 0 ? "clean" : status === 1 ? "dirty" : "unknown";
}

function headOf({repository, branch, pushedAt}: Fork, head: Json, sha = ""): Json {
  const [owner] = repository.split("/");
  const repo = isObject(head["repo"]) ? head["repo"] : {};
  return {
    ...head,
    ref: branch,
    label: `${owner}:${branch}`,
    sha,
    repo: {...repo, full_name: repository, pushed_at: pushedAt},
  };
}

/** On GitHub every pull request is an issue too, which the emulator denies: gives the issue's form of one. */
export function asIssue(pull: Json): Json {
  const same = [
    "id",
    "node_id",
    "number",
    "title",
    "user",
    "state",
    "locked",
    "body",
    "comments",
    "labels",
    "assignees",
  ];
  const times = ["created_at", "updated_at", "closed_at", "author_association", "comments_url"];
  const kept = Object.fromEntries([...same, ...times].map((key) => [key, pull[key]]));
  const url = String(pull["issue_url"]);
  return {...kept, url, html_url: pull["html_url"], labels_url: `${url}/labels{/name}`, state_reason: null};
}
