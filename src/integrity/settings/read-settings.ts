/** Reads a configuration file as a flat map from key paths to values, so that two versions are compared by key. */

import {parse as parseJson} from "jsonc-parser";
import sax from "sax";
import {parse as parseToml} from "smol-toml";
import {isOfKind, YAML_FILE} from "../../git/paths.ts";
import {parseYaml} from "../source/yaml.ts";
import {readProgram} from "./read-program.ts";

const XML_FILE = [".xml", ".csproj", ".fsproj", ".props", ".targets", ".runsettings"];

/** Each key path has a list of texts: one for a scalar, one for each item of a list. Its keys are joined by spaces. */
export type Settings = ReadonlyMap<string, readonly string[]>;

/** A file that does not have the format of its ending has no settings. `phpunit.xml.dist` has the format of `phpunit.xml`. */
export function readSettings(path: string, text: string | null): Settings {
  if (text === null) return new Map();
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.dist$/, "");
  try {
    const settings = new Map<string, string[]>();
    const labels = name === "verify.json" ? [] : LABELS;
    for (const value of valuesIn(name, text)) collect(value, [], {settings, labels});
    return settings;
  } catch {
    return new Map();
  }
}

/** A program can export several. */
const valuesIn = (name: string, text: string): readonly unknown[] =>
  /\.[cm]?[jt]s$/.test(name) ? readProgram(name, text) : [parseData(name, text)];

function parseData(name: string, text: string): unknown {
  if (isOfKind(name, YAML_FILE)) return parseYaml(text);
  if (name.endsWith(".toml")) return parseToml(text);
  if (isOfKind(name, [".json", ".jsonc"])) return parseJson(text);
  if (isOfKind(name, XML_FILE)) return parseXml(text);
  // Names such as `.toolrc` do not say the format.
  if (/^\s*(?:\{|\/[/*])/.test(text)) return parseJson(text);
  return /^(?:\[[^\]\n]+\]\s*$|[\w.:-]+\s*=)/m.test(text) ? parseIni(text) : parseYaml(text);
}

/** The parts of a list by which its items are known (except of `verify.json`, whose stages are compared as lists), as in `{"files": ["tests/*"], "rules": {…}}`. */
const LABELS = ["artifactId", "files", "module", "name", "id", "repo", "path"];

interface CollectedSettings {
  readonly settings: Map<string, string[]>;
  readonly labels: readonly string[];
}

function collect(value: unknown, keys: readonly string[], into: CollectedSettings): void {
  if (Array.isArray(value)) {
    const scalars = value.filter((item) => item === null || typeof item !== "object");
    // Whole configurations in a list are the bases of the others.
    if (scalars.length > 0 || value.length === 0)
      append(into.settings, keys.length === 0 ? ["extends"] : keys, scalars.map(String));
    for (const item of value)
      if (item !== null && typeof item === "object") collect(item, [...keys, ...labelOf(item, into.labels)], into);
  } else if (value !== null && typeof value === "object" && !(value instanceof Date)) {
    for (const [key, item] of Object.entries(value)) collect(item, [...keys, key], into);
  } else append(into.settings, keys, [String(value)]);
}

function labelOf(item: object, labels: readonly string[]): string[] {
  const parts = new Map<string, unknown>(Object.entries(item));
  const label = labels.map((name) => parts.get(name)).find((one) => one !== undefined);
  const text = [label]
    .flat(2)
    .filter((one) => typeof one === "string")
    .join(",");
  return text === "" ? [] : [text.replaceAll(" ", "_")];
}

function append(settings: Map<string, string[]>, keys: readonly string[], values: readonly string[]): void {
  // pytest 9 reads `[tool.pytest]` as it reads `[tool.pytest.ini_options]`; `[tool:pytest]` of a setup.cfg is the same section.
  const key = keys
    .filter((one) => one !== "" && one !== "ini_options")
    .join(" ")
    .replace(/^tool:/, "");
  settings.set(key, [...(settings.get(key) ?? []), ...values]);
}

function parseIni(text: string): unknown {
  const sections: Record<string, Record<string, string[]>> = {};
  let section = "";
  let values: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const header = /^\[(.+)\]\s*$/.exec(line)?.[1];
    const [, key, value = ""] = /^([\w.:-]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (header !== undefined) section = header;
    else if (/^\s/.test(line) && values !== null) values.push(...splitList(line));
    else if (key !== undefined) {
      values = splitList(value);
      sections[section] = {...sections[section], [key]: values};
    }
  }
  return sections;
}

const splitList = (text: string): string[] =>
  text
    .split(text.includes(",") ? "," : "\n")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Attributes and elements alike are keys; each element is an item of a list. */
function parseXml(text: string): unknown {
  const root: XmlElement = {parts: {}, text: ""};
  const open = [root];
  const parser = sax.parser(true);
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({name, attributes}) => open.push({parts: {...attributes}, text: "", name});
  parser.ontext = (part) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part.trim();
  };
  parser.onclosetag = (name) => {
    const element = open.pop() ?? root;
    const parent = open.at(-1) ?? root;
    parent.parts[name] = [...[parent.parts[name] ?? []].flat(), elementValue(name, element)];
  };
  parser.write(text).close();
  return root.parts;
}

/** `<excludes><exclude>…</exclude></excludes>` is a list. */
function elementValue(name: string, {parts, text}: XmlElement): unknown {
  const [first, ...others] = Object.entries(parts);
  if (first === undefined) return text;
  const [part, values] = first;
  const isList = others.length === 0 && name.toLowerCase().endsWith(`${part.toLowerCase()}s`);
  return isList && Array.isArray(values) && values.every((one) => typeof one === "string") ? values : parts;
}

interface XmlElement {
  readonly parts: Record<string, unknown>;
  text: string;
  readonly name?: string;
}
