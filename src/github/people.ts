/** Asks GitHub who somebody is and what they may. */
import {z} from "zod";
import {ok, type Result, refused} from "../record/words.ts";
import {type Access, canWrite} from "../request/admission.ts";
import type {Account} from "../request/event.ts";
import {graphRefused, type Refused, type Transport} from "./transport.ts";

/** Whose token this is: the author that GitHub names for everything that is done with it. */
export interface Self {
  readonly login: string;
  readonly id: number;
}

/** `GET /user` refuses apps, which a workflow's own token belongs to as well; this query answers every kind of token. */
const VIEWER = "query { viewer { login databaseId } }";
/** People asked about in one run; beyond that, unknown is no. */
const MOST_LOOKUPS = 50;

const permissionSchema = z.object({
  permission: z.string(),
  role_name: z.string().nullish(),
  user: z.object({id: z.int()}).nullish(),
});
const viewerSchema = z.object({
  data: z.object({viewer: z.object({login: z.string(), databaseId: z.int()})}).nullish(),
  errors: z.array(z.object({message: z.string()})).optional(),
});

/** The verbs for people. Answers to `whoami` and `writes` are kept for the run. */
export function peopleVerbs({owner, repo, ask}: Transport) {
  let self: Promise<Result<Self, Refused>> | undefined;
  const known = new Map<number, Promise<boolean>>();

  /** What somebody may do here. GitHub knows no such collaborator (404): an answer, and it is "none". */
  async function permission(login: string): Promise<Result<Access, Refused>> {
    const found = await ask({
      name: `read the permission of ${login}`,
      answer: permissionSchema,
      send: (rest, request) => rest.repos.getCollaboratorPermissionLevel({owner, repo, username: login, request}),
    });
    if (!found.ok) {
      return found.failure.status === 404 ? ok({permission: "none", role: null, userId: null}) : refused(found.failure);
    }
    const {permission: base, role_name: role, user} = found.value;
    return ok({permission: base, role: role ?? null, userId: user?.id ?? null});
  }

  async function lookUp({login, id}: Account): Promise<boolean> {
    const access = await permission(login);
    return access.ok && (access.value.userId === null || access.value.userId === id) && canWrite(access.value);
  }

  /** True when this account is a person with write access. False also for the unknown, and after 50 look-ups. */
  async function writes(account: Account): Promise<boolean> {
    if (account.type !== "User") return false;
    const found = known.get(account.id);
    if (found !== undefined) return found;
    if (known.size >= MOST_LOOKUPS) return false;
    const answer = lookUp(account);
    known.set(account.id, answer);
    return answer;
  }

  async function askWhoami(): Promise<Result<Self, Refused>> {
    const name = "read whose token this is";
    const found = await ask({name, answer: viewerSchema, send: (_rest, _request, graph) => graph(VIEWER, {})});
    if (!found.ok) return found;
    const viewer = found.value.data?.viewer;
    return viewer ? ok({login: viewer.login, id: viewer.databaseId}) : graphRefused(name, found.value.errors);
  }

  /** Whose token this is; asked once. A failure means that no comment is known to be Assay's own. */
  function whoami(): Promise<Result<Self, Refused>> {
    self ??= askWhoami();
    return self;
  }

  return {permission, writes, whoami};
}
