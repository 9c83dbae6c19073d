/** Finds the line of a setting in its configuration file. */

/** The line of the last key behind the lines of those before it, in their order; null if it is not there. */
export function lineOfKey(text: string, keyPath: string): number | null {
  const lines = text.split("\n");
  let found = -1;
  let isLast = false;
  for (const key of keyPath.split(" ")) {
    const at = lines.findIndex((line, index) => index >= Math.max(0, found) && hasKey(line, key));
    isLast = at >= 0;
    if (isLast) found = at;
  }
  return isLast ? found + 1 : null;
}

function hasKey(line: string, key: string): boolean {
  if (/^\s*(?:#|\/\/|;|\/?\*|<!--)/.test(line)) return false;
  const at = line.indexOf(key);
  return at >= 0 && !/[\w-]/.test(line[at - 1] ?? "") && !/[\w-]/.test(line[at + key.length] ?? "");
}
