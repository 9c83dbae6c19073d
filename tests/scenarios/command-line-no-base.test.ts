/** `assay verify` where the commit to compare with has no files: the change's own rules count only in a new repository. */
import {rmSync} from "node:fs";
import {expect, onTestFinished, test} from "vitest";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {isSweep} from "../sweep.ts";

/** Fails where the change is there. */
const FILES = {
  "verify.json": JSON.stringify({stages: [{name: "files", command: "test ! -e src/no.txt"}], skipPatterns: []}),
};
function repository(): string {
  const folder = repositoryOf(FILES);
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
const verify = (folder: string, ...args: string[]) => assay(folder, ["verify", "--json", ...args]);

test("an orphan branch next to others needs a base: the change's own rules are not enough", () => {
  const folder = repository();
  gitIn(folder)("checkout", "-q", "--orphan", "fresh");
  put(folder, {"verify.json": JSON.stringify({stages: [{name: "files", command: "true"}]}), "src/no.txt": "n\n"});
  const ended = verify(folder);
  expect(ended).toMatchObject({status: 2, stdout: ""});
  expect(ended.stderr).toContain("`--base main`");
  expect(verify(folder, "--base", "main")).toMatchObject({status: 1, record: {verdict: {kind: "failed"}}});
});

if (isSweep)
  test("a base that was emptied has no rules, one that was always empty leaves them to the change", () => {
    const folder = repository();
    const git = gitIn(folder);
    const commit = (...args: string[]) =>
      git("-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-qm", "x", ...args);
    git("rm", "-qr", ".");
    commit();
    put(folder, {"verify.json": JSON.stringify({stages: [{name: "files", command: "true"}]}), "src/no.txt": "n\n"});
    const ended = verify(folder);
    expect(ended).toMatchObject({status: 2, stdout: ""});
    expect(ended.stderr).toContain("`--base`");
    git("checkout", "-q", "--orphan", "fresh");
    git("rm", "-qr", "--cached", "--ignore-unmatch", ".");
    commit("--allow-empty");
    expect(verify(folder).record?.notes[0]?.text).toContain("no base commit");
  });
