/** No program of anybody starts when the bot runs git: each known vector against each command that the product has. */
import {mkdir, mkdtemp, readdir, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, beforeEach, describe, expect, it} from "vitest";
import {prepareWorkspace} from "../../../src/agent/workspace.ts";
import {makeCandidate} from "../../../src/changes/candidate.ts";
import {openRepository} from "../../../src/git/repository.ts";
import {git} from "../../rig/git.ts";
import {everyNth, someOf} from "../../sweep.ts";
import {useEverything} from "./every-command.ts";
import {notExercised, traceGit, writtenCommands} from "./git-commands.ts";
import {makePlace, type Place, TOKEN, value, write} from "./place.ts";
import {arm, canary, fired, GROUPS, isRunHere, type Range, runPlain} from "./vectors.ts";

const VECTORS = Object.values(GROUPS).flat();

describe("git that cannot be turned", () => {
  let place: Place;
  let range: Range;
  let tracing: string;
  let folder: string;
  let traced: Awaited<ReturnType<typeof traceGit>>;
  let count = 0;
  beforeAll(async () => {
    const attributes = "*.ts filter=x diff=x merge=x\n*.bin filter=p diff=t\n";
    tracing = await mkdtemp(join(tmpdir(), "assay-traced-"));
    traced = await traceGit(tracing);
    place = await makePlace({
      files: {"a.ts": "a\n", "b.bin": "b\n", ".gitattributes": attributes, "sub.txt": "s\n"},
      path: traced.path,
    });
    await place.origin.commit({branch: "elsewhere", from: place.base, files: {"e.ts": "e\n"}});
    range = {folder: join(place.folder, "range"), origin: place.origin.folder, privateUrl: place.url};
  });
  afterAll(async () => {
    await place[Symbol.asyncDispose]();
    await rm(tracing, {recursive: true});
  });
  beforeEach(async () => {
    folder = join(place.folder, `work-${count++}`);
    await rm(join(range.folder, "fired"), {force: true});
    value(await place.repository.checkOut({commit: place.base, folder}));
  });

  it.each(everyNth(VECTORS, 8))(
    "is a test that can fail: plain git, if it is young enough, runs $name",
    async (vector) => {
      await arm({...range, at: folder, vectors: [vector]});
      await write(folder, {"a.ts": "plain\n"});
      await runPlain({...range, at: folder, plain: vector.plain});
      const wanted = [expect.stringContaining(`${vector.name}:`)];
      expect(await fired(range.folder)).toEqual(isRunHere(vector) ? expect.arrayContaining(wanted) : []);
    },
  );

  it.each(someOf(Object.keys(GROUPS)))("runs nothing of the %s, whichever command the product uses", async (group) => {
    await arm({...range, at: folder, vectors: GROUPS[group] ?? []});
    await useEverything({place, at: folder, name: String(count), path: traced.path});
    expect(await fired(range.folder)).toEqual([]);
  });

  it("was tried with every git command that the sources have", async () => {
    expect(writtenCommands().length).toBeGreaterThan(40);
    expect(notExercised(await traced.seen())).toEqual([]);
  });

  it("runs nothing of a nested repository or a submodule", async () => {
    const {repository, origin, base} = place;
    const nested = join(folder, "sub");
    await mkdir(nested);
    await git(nested, ["init", "-q"]);
    await arm({...range, at: nested, vectors: VECTORS.filter(({name}) => name === "core.fsmonitor")});
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
    expect(await fired(range.folder)).toEqual([]);
  });

  it("takes no settings from the environment or the home of the runner", async () => {
    const home = join(place.folder, "home");
    const touch = await canary(range.folder, "the environment");
    const filter = `[filter "x"]\n\tclean = ${touch}\n\tprocess = ${touch}\n`;
    // git takes the program that packs for a fetch from here, and never from a checkout's own settings
    const packs = `[uploadpack]\n\tpackObjectsHook = ${touch}\n`;
    await write(home, {".gitconfig": `${packs}[core]\n\tfsmonitor = ${touch}\n${filter}`, "git/config": filter});
    await runPlain({
      ...{...range, at: folder, plain: "git clone -q --bare --no-local . ../plain-clone"},
      variables: {GIT_CONFIG_GLOBAL: join(home, ".gitconfig")},
    });
    expect(await fired(range.folder)).toContainEqual(expect.stringContaining("the environment:"));
    await rm(join(range.folder, "fired"));
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
    value(await prepareWorkspace({repository, folder: join(place.folder, "fetched"), base}));
    expect(await fired(range.folder)).toEqual([]);
    expect(await readdir(place.folder)).not.toContain("trace");
  });

  it("uses no transport but the one it was given", async () => {
    const {repository, base} = place;
    const touch = await canary(range.folder, "another transport");
    for (const url of [`ext::${touch}`, `ssh://127.0.0.1/x`, place.origin.folder, "git://127.0.0.1/x"]) {
      const fetched = await repository.git(["fetch", url, base], {protocols: ["https"]});
      expect(fetched).toMatchObject({ok: false, failure: {message: expect.stringContaining("not allowed")}});
    }
    await git(folder, ["config", `url.ext::${touch} .insteadOf`, "/"]);
    expect(await prepareWorkspace({folder, repository, base: await otherCommit()})).toMatchObject({ok: false});
    expect(await fired(range.folder)).toEqual([]);
  });

  async function otherCommit() {
    const {repository, origin, base} = place;
    const id = await origin.commit({branch: "elsewhere", from: base, files: {"e.ts": "e\n"}});
    return value(await repository.fetch(id)).commit;
  }
});
