/** Says where each setting that is not the default, or that the policy changes, comes from: a line of a file, or the policy. */
import {findNodeAtLocation, type Node, parseTree} from "jsonc-parser";
import {type Config, type ConfigSource, DEFAULT_CONFIG} from "../detect/config/config.ts";
import {flatSettings, policyKey} from "../detect/config/organization-policy.ts";
import type {Setting} from "../record/plan.ts";

/** Keys under another name than in the file. */
const FORMER: Readonly<Record<string, string>> = {maxFixAttempts: "maxIterations"};

/** `owners` is the configuration without the policy. A key of the own file replaces the same key of the extended one. */
export function settingOrigins(options: {
  config: Config;
  owners: Config;
  own: ConfigSource | null;
  policy: string | null;
}): Setting[] {
  const {config, owners, own, policy} = options;
  const [defaults, unlimited] = [flatSettings(DEFAULT_CONFIG), flatSettings(owners)];
  const sources = [own, config.extended].flatMap((source) =>
    source === null ? [] : [{...source, tree: treeOf(source)}],
  );
  const settings = [...flatSettings(config)].flatMap(([key, value]): Setting[] => {
    if (policy !== null && unlimited.get(key) !== value) return [{key: policyKey(key), value, from: policy}];
    if (defaults.get(key) === value || NO_SETTING.test(key)) return [];
    const path = key.split(".");
    for (const {file, text, tree} of sources) {
      const offset = offsetOf(tree, path) ?? offsetOf(tree, [FORMER[key] ?? ""]);
      if (offset !== null) return [{key, value, from: `${file}:${text.slice(0, offset).split("\n").length}`}];
    }
    return [];
  });
  const unused = Object.keys(owners.prices).filter((name) => !Object.hasOwn(config.prices, name));
  return [...settings, ...unused.map((name) => ({key: `prices.${name}`, value: "null", from: policy ?? ""}))];
}

const NO_SETTING = /^(?:file|extended\b.*)$/;

const treeOf = ({text}: ConfigSource) => parseTree(text.replace(/^\uFEFF/, ""), [], {allowTrailingComma: true});

/** The place of the innermost key of the path that the file has; null without any. */
function offsetOf(tree: Node | undefined, path: readonly string[]): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const node = tree && findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node.parent?.offset ?? node.offset;
  }
  return null;
}
