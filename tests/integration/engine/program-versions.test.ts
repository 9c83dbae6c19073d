/** Versions of the machine's programs: read where a manifest says them, asked for where it does not. */
import {chmod, mkdir, mkdtemp, rm, symlink, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, it} from "vitest";
import {installedVersions} from "../../../src/engine/program-versions.ts";

it("reads npm's version from its own manifest, and starts a program of another package", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-versions-"));
  await mkdir(join(folder, "bin"));
  for (const [name, owner, printed] of [
    ["npm", "npm", "1.1.1"],
    ["yarn", "corepack", "4.4.4"],
  ] as const) {
    const home = join(folder, "lib", owner);
    await mkdir(join(home, "bin"), {recursive: true});
    await writeFile(join(home, "package.json"), JSON.stringify({name: owner, version: "2.2.2"}));
    await writeFile(join(home, "bin/start.sh"), `#!/bin/sh\necho ${printed}\n`);
    await chmod(join(home, "bin/start.sh"), 0o755);
    await symlink(join(home, "bin/start.sh"), join(folder, "bin", name));
  }
  const place = {folder: join(folder, "repository"), variables: {PATH: `${folder}/bin:/usr/bin:/bin`}};
  expect(await installedVersions(["npm", "yarn"], place)).toEqual(
    new Map([
      ["npm", "2.2.2"],
      ["yarn", "4.4.4"],
    ]),
  );
  await rm(folder, {recursive: true});
});
