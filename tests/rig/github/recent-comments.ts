/** The comments of a whole repository, which the emulator gives by thread only. */
import {list, numberAt, textAt} from "../json.ts";
import {type Answer, type Asked, json} from "./additions.ts";

/** The answer to `GET /repos/{owner}/{repo}/issues/comments`, newest first; `get` asks for one thing as GitHub. Null otherwise. */
export async function recentComments(
  {method, path, query}: Asked,
  get: (path: string, query: string) => Promise<Answer>,
): Promise<Answer | null> {
  if (method !== "GET" || !/^\/repos\/[^/]+\/[^/]+\/issues\/comments$/.test(path)) return null;
  if (query.get("sort") !== "created" || query.get("direction") !== "desc")
    return json(422, {message: "not in the rig"});
  const repository = path.replace("/issues/comments", "");
  const read = async (below: string) =>
    list(JSON.parse((await get(`${repository}${below}`, "state=all&per_page=100")).body));
  const threads = new Set(
    [...(await read("/issues")), ...(await read("/pulls"))].map((one) => numberAt(one, "number")),
  );
  const comments = (await Promise.all([...threads].map((number) => read(`/issues/${number}/comments`)))).flat();
  const since = query.get("since") ?? "";
  const size = Number(query.get("per_page") ?? 30);
  const start = (Number(query.get("page") ?? 1) - 1) * size;
  return json(
    200,
    comments
      .filter((one) => textAt(one, "updated_at") >= since)
      .toSorted((a, b) => textAt(b, "created_at").localeCompare(textAt(a, "created_at")))
      .slice(start, start + size),
  );
}
