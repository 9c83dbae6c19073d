/** Watches the files that `assay verify` reads. */
import {type FSWatcher, watch} from "node:fs";
import {dirname, join} from "node:path";
import {setTimeout as wait} from "node:timers/promises";
import {openProject} from "../detect/files/open-project.ts";
import {ok, type Result, refused} from "../record/words.ts";

/** Editors and `git checkout` write several files at once. */
const SETTLE_MS = 200;

/**
 * Watches from now on; the promise inside resolves after the first change, or when `signal` is aborted. Git's own folder
 * and ignored folders are not watched.
 */
export async function nextChange(folder: string, signal: AbortSignal): Promise<Result<Promise<void>, string>> {
  const {files} = await openProject(folder, process.env);
  const folders = new Set(["."]);
  for (const file of files) for (let one = dirname(file); !folders.has(one); one = dirname(one)) folders.add(one);
  const watchers: FSWatcher[] = [];
  const close = () => {
    for (const watcher of watchers) watcher.close();
  };
  let wake = () => {};
  const changed = new Promise<void>((resolve) => (wake = resolve));
  signal.addEventListener("abort", wake, {once: true});
  try {
    for (const one of folders) {
      const watcher = watch(join(folder, one), (_, name) => name === ".git" || wake());
      // A folder that is removed is a change.
      watchers.push(watcher.on("error", wake));
    }
  } catch (error) {
    close();
    return refused(`error: ${folder} cannot be watched: ${error instanceof Error ? error.message : String(error)}`);
  }
  const settled = changed.then(async () => {
    close();
    if (!signal.aborted) await wait(SETTLE_MS);
  });
  return ok(settled);
}
