/** Finds the scripts and targets that check something, by their names. */
import {parse as parseJson} from "jsonc-parser";
import {textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {targetsOf} from "../commands/makefile.ts";

/** The bodies of those in a `package.json` or a makefile, with the hooks around them. */
export function scriptBodies(path: string, text: string): string[] {
  const bodies = path.endsWith(".json") ? textEntries(valueAt(parseJson(text), "scripts")) : targetsOf(text);
  const kindOf = (name: string) => kindOfName(name) ?? kindOfName(name.replace(/^(?:pre|post)/, ""));
  // A target of make without a path in its name is a task; other targets require it if it checks something.
  const isTask = (name: string) => !path.endsWith(".json") && /^[\w-]+$/.test(name) && kindOfName(name) !== "build";
  return [...bodies].flatMap(([name, body]) => (["build", null].includes(kindOf(name)) && !isTask(name) ? [] : [body]));
}

/** The name of the package in a `package.json`. */
export function namesIn(text: string): string[] {
  const name = valueAt(parseJson(text), "name");
  return typeof name === "string" ? [name] : [];
}
