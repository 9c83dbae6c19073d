import {existsSync} from "node:fs";
import {chmod, mkdir, readdir, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterAll, beforeAll, beforeEach, describe, expect, it} from "vitest";
import {prepareWorkspace} from "../../../src/agent/workspace.ts";
import {makeCandidate, snapshotLeftovers} from "../../../src/changes/candidate.ts";
import {openRepository} from "../../../src/changes/repository.ts";
import {push} from "../../../src/publish/push.ts";
import {git} from "../../rig/git.ts";
import {makePlace, type Place, TOKEN, value, write} from "./place.ts";

const HOOKS = [
  ...["applypatch-msg", "pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "pre-push", "post-checkout"],
  ...["post-merge", "pre-rebase", "reference-transaction", "post-index-change", "fsmonitor-watchman", "post-rewrite"],
];

/** Settings that make git run `$TOUCH`, a program that leaves a file; what would hide another one stands in a group of its own. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  "hooks, filters, monitor and helpers": [
    ...["core.fsmonitor=$TOUCH", "core.pager=$TOUCH", "core.editor=$TOUCH", "sequence.editor=$TOUCH"],
    ...["core.sshCommand=$TOUCH", "core.gitProxy=$TOUCH", "core.askPass=$TOUCH", "credential.helper=!$TOUCH"],
    ...["filter.x.clean=$TOUCH", "filter.x.smudge=$TOUCH", "filter.x.required=true", "merge.x.driver=$TOUCH"],
    ...["diff.external=$TOUCH", "diff.x.textconv=$TOUCH", "diff.x.command=$TOUCH", "trailer.x.command=$TOUCH"],
    ...["gpg.program=$TOUCH", "commit.gpgSign=true", "push.gpgSign=true", "tar.x.command=$TOUCH"],
    ...["remote.origin.receivepack=$TOUCH", "remote.origin.uploadpack=$TOUCH", "uploadpack.packObjectsHook=$TOUCH"],
    ...["alias.add=!$TOUCH", "alias.push=!$TOUCH", "alias.read-tree=!$TOUCH"],
    ...["submodule.sub.update=!$TOUCH", "submodule.recurse=true", "submodule.sub.active=true"],
  ],
  "core.hooksPath": ["core.hooksPath=$HOOKS"],
  "a filter process and rewritten addresses": [
    ...["filter.x.process=$TOUCH", "url.ext::$TOUCH .insteadOf=http://"],
    ...["remote.origin.pushurl=ext::$TOUCH", "protocol.allow=always", "protocol.ext.allow=always"],
  ],
  "include.path": ["include.path=$INCLUDED"],
};

describe("git that cannot be turned", () => {
  let place: Place;
  let folder: string;
  let fired: string;
  let touch: string;
  let count = 0;
  beforeAll(async () => {
    place = await makePlace({
      files: {"a.ts": "a\n", "b.bin": "b\n", ".gitattributes": "* filter=x diff=x merge=x\n", "sub.txt": "s\n"},
    });
    touch = join(place.folder, "touch.sh");
    await writeFile(touch, `#!/bin/sh\nprintf '%s\\n' "$0 $*" >> '${join(place.folder, "fired")}'\ncat\n`);
    await chmod(touch, 0o755);
  });
  afterAll(() => place[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = join(place.folder, `work-${count++}`);
    fired = join(place.folder, "fired");
    await rm(fired, {force: true});
    value(await place.repository.checkOut({commit: place.base, folder}));
  });

  /** Every git command that the product has, on a folder with a change in it. */
  async function everything(at: string) {
    const {repository, base} = place;
    value(await repository.fetch("main"));
    value(await snapshotLeftovers({repository, folder: at, base}));
    await write(at, {"a.ts": `changed ${count}\n`, "new.bin": "n\n"});
    const {candidate} = value(await makeCandidate({repository, folder: at, base}));
    const changed = value(await repository.trackedChanges({commit: base, folder: at}));
    expect(changed).toContain("a.ts");
    value(await repository.restore({commit: base, folder: at, paths: changed}));
    value(await repository.checkOut({commit: candidate.commit, folder: join(place.folder, `out-${count}`)}));
    value(await prepareWorkspace({folder: at, repository, base: candidate.commit}));
    value(await prepareWorkspace({folder: at, repository, base}));
    const ref = `refs/heads/try-${count}`;
    expect(await push({repository, commit: candidate.commit, ref, expect: null})).toEqual({kind: "pushed"});
    const bot = join(place.folder, `local-${count}`);
    const variables = {PATH: process.env["PATH"]};
    const local = value(await openRepository({folder: bot, source: {kind: "local", folder: at}, variables}));
    value(await local.fetch("HEAD"));
    value(await makeCandidate({repository: local, folder: at, base}));
  }

  async function arm(at: string, settings: readonly string[]) {
    const hooks = join(place.folder, "hooks");
    await mkdir(hooks, {recursive: true});
    await mkdir(join(at, ".git/hooks"), {recursive: true});
    for (const name of HOOKS) {
      for (const file of [join(hooks, name), join(at, ".git/hooks", name)]) {
        await writeFile(file, `#!/bin/sh\nexec '${touch}' ${name} < /dev/null\n`);
        await chmod(file, 0o755);
      }
    }
    const included = join(place.folder, "included");
    await writeFile(
      included,
      `[core]\n\tfsmonitor = ${touch}\n\thooksPath = ${hooks}\n[filter "x"]\n\tclean = ${touch}\n`,
    );
    for (const setting of settings) {
      const [key = "", ...rest] = setting.split("=");
      const put = (text: string) =>
        text.replaceAll("$TOUCH", touch).replaceAll("$HOOKS", hooks).replaceAll("$INCLUDED", included);
      await git(at, ["config", put(key), put(rest.join("="))]);
    }
  }

  it.each(Object.keys(SETTINGS))("is a test that can fail: plain git runs %s", async (name) => {
    await arm(folder, SETTINGS[name] ?? []);
    await write(folder, {"a.ts": "plain\n"});
    await git(folder, ["add", "a.ts"]).catch(() => "how a filter ends is not the point here");
    expect(existsSync(fired)).toBe(true);
  });

  it.each(Object.keys(SETTINGS))("runs nothing of %s", async (name) => {
    await arm(folder, SETTINGS[name] ?? []);
    await everything(folder);
    expect(existsSync(fired)).toBe(false);
  });

  it("runs nothing of a nested repository or a submodule", async () => {
    const {repository, origin, base} = place;
    const nested = join(folder, "sub");
    await mkdir(nested);
    await git(nested, ["init", "-q"]);
    await arm(nested, ["core.fsmonitor=$TOUCH"]);
    await write(nested, {"x.ts": "x\n"});
    expect(await makeCandidate({repository, folder, base})).toMatchObject({failure: {kind: "candidate-refused"}});

    await git(origin.folder, ["read-tree", base]);
    await git(origin.folder, ["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`]);
    const tree = await git(origin.folder, ["write-tree"]);
    const withSub = await git(origin.folder, ["commit-tree", "-p", base, "-m", "sub", tree]);
    await origin.setRef("refs/heads/sub", withSub);
    value(await repository.fetch("sub"));
    value(await makeCandidate({repository, folder, base: withSub}));
    value(await repository.trackedChanges({commit: withSub, folder}));
    value(await prepareWorkspace({folder, repository, base: withSub}));
    expect(existsSync(fired)).toBe(false);
  });

  it("takes no settings from the environment or the home of the runner", async () => {
    const home = join(place.folder, "home");
    const filter = `[filter "x"]\n\tclean = ${touch}\n\tprocess = ${touch}\n`;
    await write(home, {".gitconfig": `[core]\n\tfsmonitor = ${touch}\n${filter}`, "git/config": filter});
    const variables = {
      PATH: process.env["PATH"],
      HOME: home,
      XDG_CONFIG_HOME: home,
      GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${touch}'`,
      GIT_DIR: "/nowhere",
      GIT_EXTERNAL_DIFF: touch,
      GIT_SSH_COMMAND: touch,
      GIT_ASKPASS: touch,
      SSH_ASKPASS: touch,
      GIT_TRACE: join(place.folder, "trace"),
      LD_PRELOAD: "/nowhere.so",
    };
    const source = {kind: "remote", url: place.url, token: TOKEN} as const;
    const repository = value(await openRepository({folder: join(place.folder, "bot-2"), source, variables}));
    const base = value(await repository.fetch("main")).commit;
    await write(folder, {"a.ts": "changed\n"});
    value(await makeCandidate({repository, folder, base}));
    expect(existsSync(fired)).toBe(false);
    expect(await readdir(place.folder)).not.toContain("trace");
  });

  it("uses no transport but the one it was given", async () => {
    const {repository, base} = place;
    for (const url of [`ext::${touch}`, `ssh://127.0.0.1/x`, place.origin.folder, "git://127.0.0.1/x"]) {
      const fetched = await repository.git(["fetch", url, base], {protocols: ["https"]});
      expect(fetched).toMatchObject({ok: false, failure: {message: expect.stringContaining("not allowed")}});
    }
    await git(folder, ["config", `url.ext::${touch} .insteadOf`, "/"]);
    expect(await prepareWorkspace({folder, repository, base: await otherCommit()})).toMatchObject({ok: false});
    expect(existsSync(fired)).toBe(false);
  });

  async function otherCommit() {
    const {repository, origin, base} = place;
    const id = await origin.commit({branch: "elsewhere", from: base, files: {"e.ts": "e\n"}});
    return value(await repository.fetch(id)).commit;
  }
});
