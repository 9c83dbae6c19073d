/** Describes for people where a command is defined, and why it is skipped. */
import type {Note, Stage} from "../../record/plan.ts";

/** File and key, such as `package.json scripts.test`; only the file if the key is the file's name. */
export function formatPlace({file, key}: Pick<Stage["origin"], "file" | "key">): string {
  return file === key || file.endsWith(`/${key}`) ? file : `${file} ${key}`;
}

export function skipNote({origin, command}: Pick<Stage, "origin" | "command">, why: string): Note {
  return {about: formatPlace(origin), text: `\`${command}\` skipped: ${why}`};
}
