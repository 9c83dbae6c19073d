/** Compares the rules that ruff selects and ignores, by the meaning of its selectors. */
import type {IsWeaker, SettingPair, SettingValues} from "./tool-integrity.ts";

/** Selected without a setting (docs.astral.sh/ruff/settings, "select"). */
const DEFAULT_RULES = ["E4", "E7", "E9", "F"];
/** Selectors that include other letters, and one that was renamed. */
const GROUPS: Readonly<Record<string, RegExp>> = {ALL: /^/, PL: /^PL[CERW]?\d*$/, C: /^C(?:4|90)\d*$/, TCH: /^TC\d*$/};

/** `E501` is a part of `E5`, but `ERA` is not a part of `E`: only digits may follow. */
const isPartOf = (rule: string, wide: string): boolean =>
  (rule.startsWith(wide) && /^\d*$/.test(rule.slice(wide.length))) ||
  GROUPS[wide]?.test(rule) === true ||
  (rule.startsWith("TCH") && isPartOf(rule.replace("TCH", "TC"), wide));

const isIn = (rules: readonly string[], rule: string): boolean => rules.some((wide) => isPartOf(rule, wide));

export const losesRules: IsWeaker = (before, after) => before.some((rule) => !isIn(after, rule));
export const ignoresMore: IsWeaker = (before, after) => after.some((rule) => !isIn(before, rule));

interface Rules {
  /** null if another file decides */
  readonly selected: readonly string[] | null;
  readonly ignored: readonly string[];
  readonly isExplicit: boolean;
}

const KEYS = ["select", "extend-select", "ignore", "extend-ignore"];

/** The selected and the ignored rules as one list each. A rule that was not selected before is not newly ignored. */
export function alignRules({before, after}: SettingPair, path: string): SettingPair {
  const root = path.endsWith("pyproject.toml") ? "tool ruff " : "";
  if (![...before.keys()].some((key) => key.startsWith(root))) return {before, after};
  const [old, now] = [rulesOf(before, root), rulesOf(after, root)];
  const wasSelected = (rule: string) =>
    !old.isExplicit ||
    isIn(old.selected ?? [], rule) ||
    (old.selected ?? []).some((selected) => isPartOf(selected, rule));
  return {
    before: withRules(before, root, old),
    after: withRules(after, root, {...now, ignored: now.ignored.filter(wasSelected)}),
  };
}

function rulesOf(settings: SettingValues, root: string): Rules {
  const read = (key: string) => settings.get(`${root}lint ${key}`) ?? settings.get(`${root}${key}`);
  const selected = read("select");
  const isInherited = selected === undefined && settings.has(`${root}extend`);
  return {
    selected: isInherited ? null : [...(selected ?? DEFAULT_RULES), ...(read("extend-select") ?? [])],
    ignored: [...(read("ignore") ?? []), ...(read("extend-ignore") ?? [])],
    isExplicit: selected !== undefined,
  };
}

function withRules(settings: SettingValues, root: string, {selected, ignored}: Rules): SettingValues {
  const parts = KEYS.flatMap((key) => [`${root}${key}`, `${root}lint ${key}`]);
  const others = [...settings].filter(([key]) => !parts.includes(key));
  return new Map([
    ...others,
    ...(selected === null ? [] : [[`${root}lint select`, selected] as const]),
    [`${root}lint ignore`, ignored],
  ]);
}
