/** Whether the terminal's git reads a folder, and runs nothing that the folder's own settings name. */
import {execFileSync} from "node:child_process";
import {existsSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, expect, it, vi} from "vitest";
import {folderGit} from "../../../src/cli/folder-git.ts";
import {originServer} from "../../../src/cli/origin-server.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-folder-git-"));
const git = (...words: readonly string[]) => execFileSync("git", words, {cwd: folder, stdio: "pipe"});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, {recursive: true, force: true});
});

it("reads the remote and the status, and starts no program of the folder", async () => {
  vi.stubEnv("GITHUB_SERVER_URL", "");
  const trace = join(folder, "started");
  git("init", "-q");
  git("remote", "add", "origin", "git@ghe.example.org:ada/demo.git");
  git("config", "core.fsmonitor", `touch ${trace}`);
  writeFileSync(join(folder, "a.txt"), "one\n");
  expect(await originServer(folder)).toBe("ghe.example.org");
  const status = await (await folderGit(folder))?.status();
  expect(status?.not_added).toContain("a.txt");
  expect(existsSync(trace)).toBe(false);
  // The settings do have an effect on a git that is not protected.
  git("status");
  expect(existsSync(trace)).toBe(true);
});
