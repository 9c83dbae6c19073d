/** Finds the shell text that a command hands to a shell, and what starts that shell: `docker run alpine sh -c '…'`. */

import {baseName} from "../../shell/program.ts";
import type {SimpleCommand} from "../../shell/split.ts";
import {nameSet} from "../../tools/names.ts";

const SHELL = nameSet(
  "sh bash dash zsh ash /bin/sh /bin/bash /bin/dash /bin/zsh /bin/ash /usr/bin/sh /usr/bin/bash",
  "/usr/bin/dash /usr/bin/zsh /usr/bin/ash",
);

/** Stands for that text where its commands are listed by themselves. */
export const ELLIPSIS = "'…'";

/** Text that a command hands to a shell. */
export interface InnerShell {
  readonly text: string;
  /** why its commands run only on the machine of CI; null if the shell starts on this machine */
  readonly trouble: string | null;
}

/** The text that `bash -c`, `sh -ec` or `bash <<E` is given, on this machine or in a container; null for another command. */
export function innerShellOf({words, input}: SimpleCommand): InnerShell | null {
  const isOption = (word: string): boolean => /^[-+]\w+$|^pipefail$/.test(word);
  if (input !== null && SHELL.has(words[0] ?? "") && words.slice(1).every(isOption))
    return {text: input, trouble: null};
  const at = words.findIndex((word) => SHELL.has(word));
  const [option, text] = words.slice(-2);
  if (at < 0 || text === undefined || words.length < at + 3 || !/^-[a-z]*c$/.test(option ?? "")) return null;
  if (!words.slice(at + 1, -2).every(isOption)) return null;
  if (at === 0) return {text, trouble: null};
  // The value of a variable is no text that can be read.
  if (/^\$\{?\w+\}?$/.test(text)) return null;
  const program = baseName(words[0] ?? "");
  if (program === "sudo") return {text, trouble: "`sudo` needs administrator rights"};
  if (!["docker", "docker-compose", "podman", "nerdctl"].includes(program)) return null;
  const verb = words.slice(1, at).find((word) => word === "run" || word === "exec");
  return verb === undefined ? null : {text, trouble: `CI runs it in a container, with \`${program} ${verb}\``};
}
