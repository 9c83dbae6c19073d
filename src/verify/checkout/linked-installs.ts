/** Whether an install leads back to the code that it was made in: a candidate's tests would then import that code instead of their own. */
import {existsSync} from "node:fs";
import {readdir, readFile} from "node:fs/promises";
import {join} from "node:path";

/** What pip, uv and poetry write for an editable install: a path, or a module with one in it. */
const EDITABLE = /\.pth$|\.egg-link$|^__editable__/;

/** `added` are paths below `root` that the set-up made. Only virtual environments of Python are looked at. */
export async function linksToCheckout({root, added}: {root: string; added: readonly string[]}): Promise<boolean> {
  for (const path of added) {
    const lib = join(root, path, "lib");
    if (!existsSync(join(root, path, "pyvenv.cfg")) || !existsSync(lib)) continue;
    for (const version of await readdir(lib)) {
      const folder = join(lib, version, "site-packages");
      const names = existsSync(folder) ? await readdir(folder) : [];
      for (const name of names.filter((one) => EDITABLE.test(one))) {
        if ((await readFile(join(folder, name), "utf8")).includes(root)) return true;
      }
    }
  }
  return false;
}
