/** GitHub's check runs: one finished check on a commit, made once. */
import {z} from "zod";
import type {Result} from "../record/words.ts";
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

/** The verb for checks. Only apps may make them, and a workflow's own token with `checks: write`; others get 403. */
export function checkVerbs(transport: Transport) {
  const {owner, repo, ask} = transport;

  /** Puts the check on a commit; `id` tells it from those of other runs when the answer was lost. */
  function createCheck(check: {
    commit: string;
    name: string;
    id: string;
    url: string | null;
    text: CheckText;
  }): Promise<Result<unknown, Refused>> {
    const {commit, name, id, url, text} = check;
    const annotations = text.annotations.map(({path, line, level, title, message}) => ({
      path,
      start_line: line,
      end_line: line,
      annotation_level: level,
      title,
      message,
    }));
    return createOnce({
      transport,
      question: {
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
      find: () => find({commit, name, id}),
    });
  }

  async function find(o: {commit: string; name: string; id: string}) {
    const {commit, name, id} = o;
    const found = await ask({
      name: `look for the check ${name} on ${commit.slice(0, 12)}`,
      answer: z.object({check_runs: z.array(checkSchema)}),
      send: (rest, request) =>
        rest.checks.listForRef({owner, repo, ref: commit, check_name: name, filter: "all", per_page: 100, request}),
    });
    if (!found.ok) return found;
    return {ok: true as const, value: found.value.check_runs.find((one) => one.external_id === id) ?? null};
  }

  return {createCheck};
}
