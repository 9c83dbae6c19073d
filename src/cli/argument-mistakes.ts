/** The mistakes in arguments that commander does not look for, all at once. */
import {existsSync, statSync} from "node:fs";
import {dirname, resolve} from "node:path";
import type {Command} from "commander";

type Check = (value: string) => string | null;

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
const toRead: Check = (path) =>
  existsSync(path) && !isFolder(path) ? null : `${path} cannot be read; give the path of a file`;
const toWrite: Check = (path) => {
  if (isFolder(path)) return `${path} is a folder; give the path of a file`;
  return isFolder(dirname(resolve(path))) ? null : `the folder of ${path} does not exist; create it first`;
};

/** By the name of the option's value. */
const CHECKS: Readonly<Record<string, Check>> = {
  report: toWrite,
  eventLog: toWrite,
  statement: toRead,
  trustedRoot: toRead,
  agentConfig: (path) => (isFolder(path) ? null : `${path} is not a folder; give the folder with the agent's files`),
  repository: (name) => (/^[\w.-]+\/[\w.-]+$/.test(name) ? null : `${name} is not OWNER/NAME, such as ada/shop`),
};

/** An empty value of these has a meaning of its own. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["trigger", "commands", "on"]);

/** Options of `assay plan` that mean nothing without `--prove`. */
const OF_PROVE: ReadonlySet<string> = new Set(["allowNetwork", "sandboxOk"]);

export function argumentMistakes(command: Command, apiUrl: string | undefined): string[] {
  const mistakes = command.options.flatMap((option): string[] => {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    const isGiven = command.getOptionValueSource(name) === "cli";
    if (isGiven && command.name() === "plan" && OF_PROVE.has(name) && command.getOptionValue("prove") === undefined)
      return [`${option.long} needs --prove`];
    if (!isGiven || ![value].flat().every((one) => typeof one === "string")) return [];
    const values = [value].flat().map(String);
    if (values.includes("") && !MAY_BE_EMPTY.has(name))
      return [`${option.long} is empty; write a value, or leave it out`];
    return values.flatMap((one) => CHECKS[name]?.(one) ?? []).map((problem) => `${option.long}: ${problem}`);
  });
  if (command.args.includes("")) mistakes.push("an argument is empty");
  const isAddress = !apiUrl || URL.canParse(apiUrl);
  return isAddress ? mistakes : [...mistakes, `GITHUB_API_URL: ${apiUrl} is not an address; write https://…`];
}
