/** Compares the shared configurations of ESLint: which one contains which other one of the same plug-in. */
import type {IsWeaker} from "./tool-integrity.ts";

/**
 * From typescript-eslint.io ("Shared Configs"), eslint.org ("Predefined Configurations") eslint.vuejs.org ("Bundle Configurations")
 * and react.dev (eslint-plugin-react-hooks). `all` contains every rule of a plug-in, and `strict` what it recommends.
 */
const CONTAINS: Readonly<Record<string, readonly string[]>> = {
  stricttypechecked: ["strict", "stricttypecheckedonly", "recommendedtypechecked"],
  stricttypecheckedonly: ["recommendedtypecheckedonly"],
  strict: ["recommended"],
  recommendedlatest: ["recommended"],
  recommendedtypechecked: ["recommended", "recommendedtypecheckedonly"],
  recommended: ["eslintrecommended", "base", "stronglyrecommended", "unopinionated"],
  stronglyrecommended: ["essential"],
  essential: ["base"],
  stylistictypechecked: ["stylistic", "stylistictypecheckedonly"],
};

interface Preset {
  readonly plugin: string;
  readonly name: string;
}

/** `...ts.configs.strictTypeChecked`, `plugin:@typescript-eslint/strict-type-checked` or `eslint:all`. */
function presetOf(text: string): Preset {
  const [, plugin = "", name = ""] =
    /^(.*?)(?:\.configs?\b\W*|[:/](?!.*[:/])|$)(.*)$/.exec(text.replace(/^\.{3}/, "")) ?? [];
  return {
    plugin,
    name: name
      .replace(/^flat\b\W*/, "")
      .replace(/[^A-Za-z]/g, "")
      .toLowerCase(),
  };
}

const isWithin = (name: string, wide: string): boolean =>
  name === wide || wide === "all" || (CONTAINS[wide] ?? []).some((one) => isWithin(name, one));

/** A preset is gone, no other one contains it, and the list is shorter or has a weaker preset of the same plug-in. */
export const losesPresets: IsWeaker = (before, after) => {
  const presets = after.map(presetOf);
  const lost = before.filter((text) => {
    const {plugin, name} = presetOf(text);
    return !after.includes(text) && !presets.some((one) => one.plugin === plugin && isWithin(name, one.name));
  });
  const plugins = new Set(lost.map((text) => presetOf(text).plugin));
  const isOfSamePlugin = (text: string) => !before.includes(text) && plugins.has(presetOf(text).plugin);
  return lost.length > 0 && (after.length < before.length || after.some(isOfSamePlugin));
};
