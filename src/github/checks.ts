/** Creates finished check runs and statuses on commits. */
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import {createOnce} from "./create.ts";
import type {Refused, Transport} from "./transport.ts";

const checkSchema = z.object({id: z.int(), external_id: z.string().nullish()});

export interface Annotation {
  readonly path: string;
  readonly line: number;
  readonly level: "failure" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
}

export interface CheckText {
  readonly conclusion: "success" | "failure";
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

/** Only apps, and a workflow's own token with `checks: write`, may create checks; other tokens get 403. */
export function checkMethods(transport: Transport) {
  const {owner, repo, call} = transport;

  /** `id` distinguishes this check from those of other runs when GitHub's answer was lost. */
  function createCheck(check: {
    commit: string;
    name: string;
    id: string;
    url: string | null;
    text: CheckText;
  }): Promise<Result<unknown, Refused>> {
    const {commit, name, id, url, text} = check;
    const annotations = text.annotations.map(({line, level, ...annotation}) => ({
      ...annotation,
      start_line: line,
      end_line: line,
      annotation_level: level,
    }));
    return createOnce({
      transport,
      apiCall: {
        name: `put the check ${name} on ${commit.slice(0, 12)}`,
        answer: checkSchema,
        send: (rest, request) =>
          rest.checks.create({
            owner,
            repo,
            name,
            head_sha: commit,
            external_id: id,
            status: "completed",
            conclusion: text.conclusion,
            ...(url !== null && {details_url: url}),
            output: {title: text.title, summary: text.summary, annotations},
            request,
          }),
      },
      find: () => findCheck(check),
    });
  }

  async function findCheck({commit, name, id}: {commit: string; name: string; id: string}) {
    const runs = await call({
      name: `look for the check ${name} on ${commit.slice(0, 12)}`,
      answer: z.object({check_runs: z.array(checkSchema)}),
      send: (rest, request) =>
        rest.checks.listForRef({owner, repo, ref: commit, check_name: name, filter: "all", per_page: 100, request}),
    });
    return runs.ok ? ok(runs.value.check_runs.find(({external_id}) => external_id === id) ?? null) : runs;
  }

  return {createCheck};
}

/** GitHub refuses a longer description. */
const MAX_DESCRIPTION = 140;

export function statusMethods({owner, repo, call}: Transport) {
  /** Puts a status on a commit; the latest of the same `context` counts, so sending it twice is harmless. */
  function setCommitStatus(status: {
    commit: string;
    state: "pending" | "success" | "failure" | "error";
    context: string;
    description: string;
    url: string | null;
  }): Promise<Result<unknown, Refused>> {
    const {commit: sha, state, context} = status;
    const description = status.description.slice(0, MAX_DESCRIPTION);
    const target = status.url === null ? {} : {target_url: status.url};
    return call({
      name: `set the status of ${sha.slice(0, 12)}`,
      answer: z.object({state: z.string()}),
      send: (rest, request) =>
        rest.repos.createCommitStatus({owner, repo, sha, state, context, description, ...target, request}),
    });
  }

  return {setCommitStatus};
}
