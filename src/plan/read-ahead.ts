/** Reads the manifests of a workspace while git still lists the files: its plan asks for every one of them. */
import {at, textsOf} from "./data.ts";
import type {Reader} from "./read-file.ts";
import type {Text} from "./view.ts";

const MAX_PACKAGES = 2000;
const MAX_PATTERNS = 20;
/** Folders of packages without one are somebody else's; to look in vain costs more than to read. */
const MAX_MISSES = 20;

/**
 * What `<folder>/package.json` holds for each folder of the usual patterns (`packages/*`) of the root's manifest. Nobody has said yet
 * that these files belong to the project: that is for the list to say.
 */
export function readAhead({readPlain, foldersIn}: Reader): ReadonlyMap<string, Text> {
  const found = new Map<string, Text>();
  let misses = 0;
  const keep = (path: string): Text | null => {
    const text = misses < MAX_MISSES ? readPlain(path) : null;
    if (text === null) misses++;
    else found.set(path, text);
    return text;
  };
  for (const folder of workspaceFolders(keep("package.json"))) {
    for (const name of foldersIn(folder).slice(0, MAX_PACKAGES)) keep(`${folder}/${name}/package.json`);
  }
  return found;
}

function workspaceFolders(manifest: Text | null): string[] {
  if (manifest?.kind !== "text") return [];
  try {
    const declared = at(JSON.parse(manifest.text), "workspaces");
    const patterns = [...textsOf(declared), ...textsOf(at(declared, "packages"))].slice(0, MAX_PATTERNS);
    return patterns.flatMap((pattern) => /^(?:\.\/)?([\w@-][\w@.-]*)\/\*$/.exec(pattern)?.[1] ?? []);
  } catch {
    return [];
  }
}
