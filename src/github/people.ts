/** Asks GitHub which permission a user has, and which account the token belongs to. */
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import {type Access, canWrite} from "../request/admission.ts";
import type {Account} from "../request/event.ts";
import {graphRefused, type Refused, type Transport} from "./transport.ts";

/** The account of the token: GitHub names it as the author of everything that the token does. */
export interface Self {
  readonly login: string;
  readonly id: number;
}

/** `GET /user` refuses apps, and so the token of a workflow; this query accepts every kind of token. */
const VIEWER = "query { viewer { login databaseId } }";
/** Users looked up in one run; further ones count as having no write access. */
const MAX_LOOKUPS = 50;

const permissionSchema = z.object({
  permission: z.string(),
  role_name: z.string().nullish(),
  user: z.object({id: z.int()}).nullish(),
});
const viewerSchema = z.object({
  data: z.object({viewer: z.object({login: z.string(), databaseId: z.int()})}).nullish(),
  errors: z.array(z.object({message: z.string()})).optional(),
});

/** The results of `whoami` and `writes` are cached for the run. */
export function peopleMethods({owner, repo, call}: Transport) {
  let self: Promise<Result<Self, Refused>> | undefined;
  const answers = new Map<number, Promise<boolean>>();

  /** The permission of a user in this repository. Status 404 means that the user is not a collaborator: "none". */
  async function permission(login: string): Promise<Result<Access, Refused>> {
    const answer = await call({
      name: `read the permission of ${login}`,
      answer: permissionSchema,
      send: (rest, request) => rest.repos.getCollaboratorPermissionLevel({owner, repo, username: login, request}),
    });
    if (answer.ok) {
      const {permission: base, role_name: role, user} = answer.value;
      return ok({permission: base, role: role ?? null, userId: user?.id ?? null});
    }
    return answer.failure.status === 404 ? ok({permission: "none", role: null, userId: null}) : answer;
  }

  async function lookUp({login, id}: Account): Promise<boolean> {
    const access = await permission(login);
    return access.ok && (access.value.userId === null || access.value.userId === id) && canWrite(access.value);
  }

  /** True if this account is a person with write access. False if that is unknown, and after 50 look-ups. */
  async function writes(account: Account): Promise<boolean> {
    if (account.type !== "User") return false;
    const remembered = answers.get(account.id);
    if (remembered !== undefined) return remembered;
    if (answers.size >= MAX_LOOKUPS) return false;
    const answer = lookUp(account);
    answers.set(account.id, answer);
    return answer;
  }

  async function askWhoami(): Promise<Result<Self, Refused>> {
    const name = "read whose token this is";
    const answer = await call({name, answer: viewerSchema, send: (_rest, _request, graphql) => graphql(VIEWER, {})});
    if (!answer.ok) return answer;
    const viewer = answer.value.data?.viewer;
    return viewer ? ok({login: viewer.login, id: viewer.databaseId}) : graphRefused(name, answer.value.errors);
  }

  /** The account of the token; asked once. After a failure, no comment counts as Assay's own. */
  function whoami(): Promise<Result<Self, Refused>> {
    self ??= askWhoami();
    return self;
  }

  return {permission, writes, whoami};
}
