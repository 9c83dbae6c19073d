/** A project in memory, for table tests of everything that plans. */
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {createFileList} from "../../../src/detect/files/file-list.ts";
import {parseYaml} from "../../../src/detect/files/parse-yaml.ts";
import {type Project, viewFiles} from "../../../src/detect/files/project.ts";
import {plan} from "../../../src/detect/plan.ts";
import type {Plan} from "../../../src/record/plan.ts";

/** Makes a project of `path → content`; an object is written as JSON. */
export function projectOf(tree: Readonly<Record<string, string | object>>): Project {
  return viewFiles({
    files: createFileList(Object.keys(tree)),
    parseYaml,
    read: (path) => {
      const content = tree[path] ?? "";
      const text = typeof content === "string" ? content : JSON.stringify(content);
      return {kind: "bytes", bytes: Buffer.from(text)};
    },
  });
}

/** The plan of a project in memory, with the default config; throws where planning fails. */
export function planOf(
  tree: Readonly<Record<string, string | object>>,
  options: {changed?: readonly string[]} = {},
): Plan {
  const made = plan({project: projectOf(tree), config: DEFAULT_CONFIG, ...options});
  if (!made.ok) throw new Error(JSON.stringify(made.failure));
  return made.value;
}
