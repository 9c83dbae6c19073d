/** Where in the repository a command stands, in one line for people. */
import type {Stage} from "../../record/plan.ts";

/** File and key, such as `package.json scripts.test`; the key of a tool that is known by its file alone is that file's name. */
export function formatPlace({file, key}: Pick<Stage["origin"], "file" | "key">): string {
  return file === key || file.endsWith(`/${key}`) ? file : `${file} ${key}`;
}
