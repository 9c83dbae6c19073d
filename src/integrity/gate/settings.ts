/** Reads a configuration file as a flat map from key paths to values, so that two versions are compared by key. */

import {parse as parseJson} from "jsonc-parser";
import {parse as parseToml} from "smol-toml";
import {languageOf} from "../../test-code/text/languages.ts";
import {maskSource} from "../../test-code/text/mask.ts";
import {INTEGRITY, partsOf} from "../../tools/all-integrity.ts";
import type {SettingValues} from "../../tools/tool-integrity.ts";
import {parseYaml} from "../source/yaml.ts";
import {withBlocks} from "./config-blocks.ts";
import {inlineConstants} from "./inline-constants.ts";
import {readObjectLiterals} from "./object-literals.ts";

export type Settings = SettingValues;

const INI = new RegExp(String.raw`\.(?:ini|cfg)$|^(?:${partsOf("iniFiles", /\.coveragerc|\.npmrc/)})$`);
const BLOCKS = new RegExp(String.raw`(?:^|\/)(?:${partsOf("blockFiles")})`);
const ALIASES = INTEGRITY.flatMap(({settingAlias}) => settingAlias ?? []);

/** A file that does not have the format of its ending has no settings. */
export function readSettings(path: string, text: string | null): Settings {
  if (text === null) return new Map();
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    if (/\.[cm]?[jt]s$/.test(name)) return readScript(path, text);
    if (/\.ya?ml$/.test(name) || name === ".clang-tidy") return flatten(parseYaml(text));
    if (/\.toml$/.test(name)) return flatten(parseToml(text));
    if (INI.test(name)) return readIni(text);
    if (/\.xml$/.test(name)) return readXml(text);
    if (/\.jsonc?$|rc$/.test(name)) return flatten(/^\s*[{[]/.test(text) ? parseJson(text) : parseYaml(text));
  } catch {
    return new Map();
  }
  return new Map();
}

function readScript(path: string, text: string): Settings {
  const language = languageOf(path);
  if (language === null) return new Map();
  const inlined = inlineConstants(text, language);
  const settings = readObjectLiterals(inlined, language);
  return BLOCKS.test(path) ? withBlocks(settings, maskSource(inlined, language)) : settings;
}

function flatten(value: unknown): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  collect(value, [], settings);
  return settings;
}

function collect(value: unknown, keys: readonly string[], settings: Map<string, string[]>): void {
  if (Array.isArray(value)) {
    const scalars = value.filter((item) => item === null || typeof item !== "object");
    if (scalars.length > 0 || value.length === 0) append(settings, keys, scalars.map(String));
    for (const item of value) if (item !== null && typeof item === "object") collect(item, keys, settings);
  } else if (value !== null && typeof value === "object" && !(value instanceof Date)) {
    for (const [key, item] of Object.entries(value)) collect(item, [...keys, key], settings);
  } else append(settings, keys, [String(value)]);
}

/** Key paths are joined by spaces: keys have dots themselves, such as `@typescript-eslint/no-unsafe-call`. */
function append(settings: Map<string, string[]>, keys: readonly string[], values: readonly string[]): void {
  const key = ALIASES.reduce((path, {from, to}) => path.replace(from, to), keys.join(" "));
  settings.set(key, [...(settings.get(key) ?? []), ...values]);
}

function readIni(text: string): Settings {
  const settings = new Map<string, string[]>();
  let section = "";
  let key = "";
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const header = /^\[(.+)\]\s*$/.exec(line);
    const entry = /^([\w.:-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (header !== null) section = header[1] ?? "";
    else if (/^\s/.test(line) && key !== "") append(settings, [section, key], splitList(line));
    else if (entry !== null) {
      key = entry[1] ?? "";
      append(settings, [section, key], splitList(entry[2] ?? ""));
    }
  }
  return settings;
}

function splitList(text: string): string[] {
  return text
    .split(text.includes(",") ? /\s*,\s*/ : /\n/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function readXml(text: string): Settings {
  const settings = new Map<string, string[]>();
  const stack: string[] = [];
  for (const match of text.replace(/<!--[\s\S]*?-->/g, "").matchAll(/<(\/)?([\w:.-]+)[^>]*?(\/)?>([^<]*)/g)) {
    const [, isEnd, name = "", isAlone, content = ""] = match;
    if (isEnd !== undefined) stack.pop();
    else {
      const keys = [...stack, name];
      if (content.trim() !== "" || isAlone !== undefined) append(settings, keys, [content.trim()]);
      if (isAlone === undefined) stack.push(name);
    }
  }
  return settings;
}
