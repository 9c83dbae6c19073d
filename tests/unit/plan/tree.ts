/** A project in memory, for table tests of everything that plans. */
import {type Project, viewFiles} from "../../../src/plan/view.ts";

/** Makes a project of `path → content`; an object is written as JSON. */
export function projectOf(tree: Readonly<Record<string, string | object>>): Project {
  return viewFiles({
    files: Object.keys(tree),
    read: (path) => {
      const content = tree[path] ?? "";
      const text = typeof content === "string" ? content : JSON.stringify(content);
      return {kind: "bytes", bytes: new TextEncoder().encode(text)};
    },
  });
}
