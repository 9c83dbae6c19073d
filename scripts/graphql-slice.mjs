/** Cuts what the bot uses out of GitHub's own GraphQL schema, for the rig's request check. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {Kind, parse, print, visit} from "graphql";

// 7 MB unpacked, for one file of it: fetched when the slice is made, never a dependency
const PACKAGE = "@octokit/graphql-schema@15.26.1";
const SCHEMA = "package/schema.graphql";
const target = new URL("../tests/rig/github/schema.graphql", import.meta.url).pathname;

/** Types, with the fields that the rig can answer truthfully; an empty list keeps all of them, as inputs need. */
const KEPT = {
  Query: ["viewer", "repository", "repositoryOwner"],
  User: ["login", "databaseId", "repositories"],
  Mutation: ["createCommitOnBranch", "resolveReviewThread"],
  Repository: ["pullRequest", "defaultBranchRef", "nameWithOwner", "object"],
  RepositoryOwner: ["login", "repositories"],
  RepositoryConnection: ["nodes", "pageInfo"],
  RepositoryAffiliation: [],
  RepositoryOrder: [],
  RepositoryOrderField: [],
  OrderDirection: [],
  RepositoryPrivacy: [],
  RepositoryVisibility: [],
  Ref: ["target"],
  GitObject: ["oid"],
  TreeEntry: ["object"],
  Blob: ["oid", "text", "isTruncated"],
  PullRequest: ["reviewThreads"],
  PullRequestReviewThreadConnection: ["nodes", "pageInfo"],
  PageInfo: [],
  PullRequestReviewThread: ["id", "isResolved", "resolvedBy", "comments"],
  PullRequestReviewCommentConnection: ["nodes"],
  PullRequestReviewComment: ["body", "viewerDidAuthor"],
  ResolveReviewThreadInput: [],
  ResolveReviewThreadPayload: ["thread"],
  CreateCommitOnBranchInput: [],
  CommittableBranch: [],
  CommitMessage: [],
  FileChanges: [],
  FileAddition: [],
  FileDeletion: [],
  CreateCommitOnBranchPayload: ["commit"],
  Commit: ["oid", "signature", "file", "history", "committedDate", "message", "statusCheckRollup"],
  CommitAuthor: [],
  CommitHistoryConnection: ["nodes", "pageInfo"],
  StatusCheckRollup: ["state"],
  StatusState: [],
  DateTime: [],
  GitTimestamp: [],
  GitSignature: ["isValid", "wasSignedByGitHub"],
  GpgSignature: ["isValid", "wasSignedByGitHub"],
  GitObjectID: [],
  Base64String: [],
};

const folder = mkdtempSync(join(tmpdir(), "graphql-"));
try {
  /** @type {import("node:child_process").ExecFileSyncOptionsWithStringEncoding} */
  const options = {cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"]};
  const archive = execFileSync("npm", ["pack", "--silent", PACKAGE], options).trim();
  execFileSync("tar", ["xzf", archive, SCHEMA], options);
  const whole = parse(readFileSync(join(folder, SCHEMA), "utf8"), {noLocation: true});
  const text = print(slice(whole));
  writeFileSync(target, `# Cut from ${PACKAGE} by scripts/graphql-slice.mjs\n${text}\n`);
  console.log(`${target}: ${text.length} characters`);
} finally {
  rmSync(folder, {recursive: true});
}

function slice(whole) {
  const definitions = whole.definitions.filter(({name}) => name !== undefined && name.value in KEPT);
  const missing = Object.keys(KEPT).filter((name) => !definitions.some((one) => one.name.value === name));
  if (missing.length > 0) throw new Error(`${PACKAGE} has no ${missing.join(", ")}`);
  const kept = definitions.filter(({kind}) => kind !== Kind.DIRECTIVE_DEFINITION).map(withKeptFields);
  return visit(
    {...whole, definitions: kept},
    {
      enter: (node) => ("description" in node ? {...node, description: undefined} : undefined),
      Directive: () => null,
    },
  );
}

function withKeptFields(definition) {
  const names = KEPT[definition.name.value];
  if (names.length === 0) return definition;
  const fields = definition.fields.filter(({name}) => names.includes(name.value));
  if (fields.length !== names.length) throw new Error(`${definition.name.value} lacks one of ${names.join(", ")}`);
  const interfaces = (definition.interfaces ?? []).filter(({name}) => name.value in KEPT);
  return {...definition, fields, interfaces};
}
