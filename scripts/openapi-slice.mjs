/** Cuts the operations that the bot uses out of GitHub's own OpenAPI description, for the rig's request check. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

// 385 MB unpacked, for one file of it: fetched when the slice is made, never a dependency
const PACKAGE = "@octokit/openapi@23.0.2";
const DESCRIPTION = "package/generated/api.github.com.json";
const target = new URL("../tests/rig/github/openapi.json", import.meta.url).pathname;

/**
 * Every operation that the product may call: anything else fails a scenario. Left out on purpose is what
 * `tests/rig/github.ts` could not answer truthfully.
 */
const REPO = "/repos/{owner}/{repo}";
const PATHS = {
  "/users/{username}": ["get"],
  [REPO]: ["get"],
  [`${REPO}/collaborators/{username}/permission`]: ["get"],
  [`${REPO}/issues`]: ["get", "post"],
  [`${REPO}/issues/{issue_number}`]: ["get", "patch"],
  [`${REPO}/issues/{issue_number}/comments`]: ["get", "post"],
  [`${REPO}/issues/comments/{comment_id}`]: ["get", "patch", "delete"],
  [`${REPO}/issues/comments/{comment_id}/reactions`]: ["get", "post"],
  [`${REPO}/issues/comments/{comment_id}/reactions/{reaction_id}`]: ["delete"],
  [`${REPO}/issues/{issue_number}/reactions`]: ["get", "post"],
  [`${REPO}/issues/{issue_number}/reactions/{reaction_id}`]: ["delete"],
  [`${REPO}/issues/{issue_number}/labels`]: ["get", "post"],
  [`${REPO}/pulls`]: ["get", "post"],
  [`${REPO}/pulls/{pull_number}`]: ["get", "patch"],
  [`${REPO}/pulls/{pull_number}/requested_reviewers`]: ["post"],
  [`${REPO}/statuses/{sha}`]: ["post"],
  [`${REPO}/commits/{ref}/statuses`]: ["get"],
  [`${REPO}/check-runs`]: ["post"],
  [`${REPO}/commits/{ref}/check-runs`]: ["get"],
  [`${REPO}/activity`]: ["get"],
  [`${REPO}/actions/runs/{run_id}`]: ["get"],
  [`${REPO}/actions/runs/{run_id}/jobs`]: ["get"],
  [`${REPO}/actions/runs/{run_id}/cancel`]: ["post"],
  [`${REPO}/actions/jobs/{job_id}/logs`]: ["get"],
  [`${REPO}/actions/workflows/{workflow_id}/runs`]: ["get"],
  [`${REPO}/git/commits/{commit_sha}`]: ["get"],
  [`${REPO}/issues/comments`]: ["get"],
  [`${REPO}/pulls/comments/{comment_id}`]: ["get"],
  [`${REPO}/pulls/{pull_number}/comments/{comment_id}/replies`]: ["post"],
  [`${REPO}/pulls/comments/{comment_id}/reactions`]: ["post"],
  [`${REPO}/pulls/comments/{comment_id}/reactions/{reaction_id}`]: ["delete"],
  [`${REPO}/pulls/{pull_number}/reviews/{review_id}`]: ["get"],
  [`${REPO}/pulls/{pull_number}/reviews`]: ["post"],
  [`${REPO}/pulls/{pull_number}/reviews/{review_id}/comments`]: ["get"],
  [`${REPO}/pulls/{pull_number}/files`]: ["get"],
  [`${REPO}/pulls/{pull_number}/comments`]: ["get"],
  [`${REPO}/attestations`]: ["post"],
  [`${REPO}/attestations/{subject_digest}`]: ["get"],
};

const folder = mkdtempSync(join(tmpdir(), "openapi-"));
try {
  /** @type {import("node:child_process").ExecFileSyncOptionsWithStringEncoding} */
  const options = {cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"]};
  const archive = execFileSync("npm", ["pack", "--silent", PACKAGE], options).trim();
  execFileSync("tar", ["xzf", archive, DESCRIPTION], options);
  const whole = JSON.parse(readFileSync(join(folder, DESCRIPTION), "utf8"));
  const text = JSON.stringify(slice(whole), null, 1);
  writeFileSync(target, `${text}\n`);
  console.log(`${target}: ${text.length} characters`);
} finally {
  rmSync(folder, {recursive: true});
}

/** Requests only: answers are another matter, and four fifths of the description. */
function slice(whole) {
  const kept = {openapi: whole.openapi, info: whole.info, paths: {}, components: {}};
  for (const [path, methods] of Object.entries(PATHS)) {
    const found = whole.paths[path];
    if (!found) throw new Error(`${PACKAGE} has no path ${path}`);
    kept.paths[path] = found.parameters ? {parameters: found.parameters} : {};
    for (const method of methods) {
      const operation = found[method];
      if (!operation) throw new Error(`${PACKAGE} has no ${method} ${path}`);
      const {operationId, summary, parameters, requestBody} = operation;
      const request = {operationId, summary, ...(parameters && {parameters}), ...(requestBody && {requestBody})};
      kept.paths[path][method] = plain({
        ...request,
        responses: {default: {description: "not described here"}},
      });
    }
  }
  const wanted = refsIn(kept.paths);
  for (const ref of wanted) {
    const [, , group, name] = ref.split("/");
    const part = plain(whole.components[group][name]);
    kept.components[group] = {...kept.components[group], [name]: part};
    for (const inner of refsIn(part)) wanted.add(inner);
  }
  return kept;
}

/** A part without its examples, in the form that the validator takes. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  if (value.nullable === true && !("type" in value)) {
    // the validator wants a type beside `nullable`; this says the same
    const {nullable: _, ...rest} = value;
    return {anyOf: [plain(rest), {enum: [null]}]};
  }
  const entries = Object.entries(value).filter(([key, inner]) => !isExample(key, inner));
  return Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner)]));
}

/** A property may be called `example` too: then its value is a schema. */
function isExample(key, value) {
  return (key === "examples" || key === "example") && !(value && typeof value === "object" && "type" in value);
}

function refsIn(value, found = new Set()) {
  if (value === null || typeof value !== "object") return found;
  if (typeof value.$ref === "string") found.add(value.$ref);
  for (const inner of Object.values(value)) refsIn(inner, found);
  return found;
}
