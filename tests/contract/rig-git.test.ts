/** Whether the rig's git server is one: clones, takes pushes, and refuses as github.com does. */
import {execFile} from "node:child_process";
import {mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {promisify} from "node:util";
import {expect, test} from "vitest";
import {bareGitEnvironment} from "../rig/git.ts";
import {startGitServer} from "../rig/git-server.ts";

const execute = promisify(execFile);

async function world() {
  const updates: string[] = [];
  const server = await startGitServer({
    tokens: {writer: "write", reader: "read"},
    onUpdate: async ({ref}) => void updates.push(ref),
  });
  const origin = await server.create("octo/demo", {private: true});
  const odd = 'naïve "quoted"\tfile.txt';
  await origin.commit({files: {"a.txt": "one\n", [odd]: "x", "run.sh": {mode: "100755", content: "#!/bin/sh\n"}}});
  const folder = await mkdtemp(join(tmpdir(), "rig-test-"));
  const git = (...args: string[]) => execute("git", args, {cwd: folder, env: bareGitEnvironment()});
  return {
    ...server,
    origin,
    updates,
    folder,
    git,
    odd,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, {recursive: true, force: true});
    },
  };
}

test("a writer clones and pushes, and the push is seen", async () => {
  await using it = await world();
  await it.git("clone", "-q", it.remote("octo/demo", "writer"), ".");
  await writeFile(join(it.folder, "a.txt"), "two\n");
  // larger than git's own buffer for one request, so that it comes in chunks
  await writeFile(join(it.folder, "large.bin"), Buffer.alloc(3_000_000, "ab\u0000cd1"));
  await it.git("add", "-A");
  await it.git("commit", "-qm", "Second");
  await it.git("push", "-q", "origin", "HEAD:refs/heads/assay/issue-1");
  expect(await it.origin.read("assay/issue-1", "a.txt")).toBe("two\n");
  expect(await it.origin.read("main", "a.txt")).toBe("one\n");
  expect(await it.origin.read("main", "none.txt")).toBeNull();
  const tree = await it.origin.tree("main");
  expect(Object.keys(tree).sort()).toEqual(["a.txt", it.odd, "run.sh"].sort());
  expect(tree["run.sh"]?.mode).toBe("100755");
  expect(it.updates).toEqual(["refs/heads/assay/issue-1"]);
  const facts = await it.origin.facts("assay/issue-1");
  expect(facts).toMatchObject({message: "Second\n", parents: [await it.origin.resolve("main")]});
  expect(await it.origin.commitsSince(["main"])).toEqual([facts.commit]);
  expect(await it.origin.reachable()).toContain(facts.tree);
});

test("the header that actions/checkout leaves is a token too, in whatever case", async () => {
  await using it = await world();
  const header = `AUTHORIZATION: basic ${Buffer.from("x-access-token:writer").toString("base64")}`;
  await it.git("-c", `http.${it.url}/.extraheader=${header}`, "clone", "-q", it.remote("octo/demo"), ".");
  expect(it.requests.map((request) => request.token)).toContain("writer");
});

test.each([
  {who: "nobody", token: undefined, fetches: "401", says: /Authentication|could not read Username/},
  {who: "an unknown token", token: "stolen", fetches: "403", says: /403/},
])("$who gets nothing of a private repository", async ({token, says, fetches}) => {
  await using it = await world();
  await expect(it.git("clone", "-q", it.remote("octo/demo", token), ".")).rejects.toThrow(says);
  expect(it.requests.map((request) => String(request.status))).toContain(fetches);
});

test("a token that may only read cannot push", async () => {
  await using it = await world();
  await it.git("clone", "-q", it.remote("octo/demo", "reader"), ".");
  await expect(it.git("push", "-q", "origin", "HEAD:refs/heads/other")).rejects.toThrow(/403/);
  expect(Object.keys(await it.origin.refs())).toEqual(["refs/heads/main"]);
});

test("a ruleset refuses the refs it names, with its message, and no others", async () => {
  await using it = await world();
  await it.origin.refusePushes("refs/heads/assay/issue-*", "Protected by Ada's rule");
  await it.git("clone", "-q", it.remote("octo/demo", "writer"), ".");
  await expect(it.git("push", "-q", "origin", "HEAD:refs/heads/assay/issue-1")).rejects.toThrow(/Ada's rule/);
  await it.git("push", "-q", "origin", "HEAD:refs/heads/assay/parked/issue-1");
  expect(Object.keys(await it.origin.refs()).sort()).toEqual(["refs/heads/assay/parked/issue-1", "refs/heads/main"]);
});

test("somebody else can be faster than a push", async () => {
  await using it = await world();
  await it.git("clone", "-q", it.remote("octo/demo", "writer"), ".");
  await writeFile(join(it.folder, "a.txt"), "two\n");
  await it.git("commit", "-qam", "Second");
  it.beforeNextPush(async () => void (await it.origin.commit({files: {"b.txt": "b"}})));
  await expect(it.git("push", "-q", "origin", "main")).rejects.toThrow(/rejected|lock/);
  expect(await it.origin.read("main", "b.txt")).toBe("b");
});
