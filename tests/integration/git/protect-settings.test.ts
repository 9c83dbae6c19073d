/** What the agent writes into the bot's own git directory is gone again before git reads it. */
import {existsSync} from "node:fs";
import {chmod, mkdir, symlink, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {makeCandidate, snapshotLeftovers} from "../../../src/changes/candidate.ts";
import {startGitServer} from "../../rig/git-server.ts";
import {makePlace, openBot, type Place, TOKEN, value, write} from "../changes/place.ts";

describe("settings that an agent plants in the bot's own git directory", () => {
  let place: Place;
  let fired: string;
  let working: string;
  beforeEach(async () => {
    place = await makePlace({files: {"a.ts": "a\n"}});
    fired = join(place.folder, "fired");
    working = join(place.folder, "working");
    await mkdir(working);
    value(await place.repository.checkOut({commit: place.base, folder: join(working, "tree")}));
  });
  afterEach(() => place[Symbol.asyncDispose]());

  const plant = (settings: string, inside = place.repository.folder) =>
    write(inside, {config: `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${settings}`});

  async function lookAgain(): Promise<void> {
    const folder = join(working, "tree");
    const {repository, base} = place;
    const leftovers = value(await snapshotLeftovers({repository, folder, base}));
    await write(folder, {"a.ts": "new\n", "b.ts": "b\n"});
    const {changes} = value(await makeCandidate({repository, folder, base, leftovers}));
    expect(changes.map(({path}) => path)).toEqual(["a.ts", "b.ts"]);
  }

  async function trap(): Promise<string> {
    const program = join(place.folder, "trap.sh");
    await writeFile(program, `#!/bin/sh\ntouch '${fired}'\ncat\n`);
    await chmod(program, 0o755);
    return program;
  }

  it("start no filter, and hide no file", async () => {
    await plant(`[filter "x"]\n\tclean = ${await trap()}\n`);
    await write(place.repository.folder, {"info/attributes": "* filter=x\n", "info/exclude": "b.ts\n"});
    await lookAgain();
    expect(existsSync(fired)).toBe(false);
  });

  it("start no filter from another folder that commondir names, or from a linked file", async () => {
    const other = join(place.folder, "other");
    await write(other, {"info/attributes": "* filter=x\n"});
    await plant(`[filter "x"]\n\tclean = ${await trap()}\n`, other);
    await write(place.repository.folder, {commondir: "../other\n", "info/attributes": "* filter=x\n", config: null});
    await symlink(join(other, "config"), join(place.repository.folder, "config"));
    await lookAgain();
    expect(existsSync(fired)).toBe(false);
  });

  it("lead no request, and so no token, through a proxy; also when the repository is opened again", async () => {
    await using proxy = await startGitServer({tokens: {[TOKEN]: "write"}});
    const settings = `[http "${new URL(place.url).origin}/"]\n\tproxy = ${proxy.url}\n`;
    await plant(settings);
    expect(value(await place.repository.remoteRef("refs/heads/main"))).toBe(place.base);
    await plant(settings);
    const again = value(await openBot({folder: place.repository.folder, url: place.url, token: TOKEN}));
    expect(value(await again.remoteRef("refs/heads/main"))).toBe(place.base);
    expect(proxy.requests).toEqual([]);
  });
});
