/** Leaves out the rules of ESLint about the format of code where Prettier, as a rule of ESLint, checks the format. */
import type {SettingPair} from "./tool-integrity.ts";

/** The rules that eslint-config-prettier turns off, except the special ones, which Prettier does not decide alone. */
const ABOUT_FORMAT =
  /^(?:@(?:typescript-eslint|stylistic)\/)?(?:array-(?:bracket|element)-(?:newline|spacing)|arrow-(?:parens|spacing)|block-spacing|brace-style|comma-(?:dangle|spacing|style)|computed-property-spacing|dot-location|eol-last|func(?:tion)?-call-(?:argument-newline|spacing)|function-(?:call-argument|paren)-newline|generator-star-spacing|implicit-arrow-linebreak|indent|jsx-quotes|key(?:word)?-spacing|linebreak-style|multiline-ternary|new-parens|newline-per-chained-call|no-extra-(?:parens|semi)|no-floating-decimal|no-mixed-spaces-and-tabs|no-multi(?:-spaces|ple-empty-lines)|no-trailing-spaces|no-whitespace-before-property|nonblock-statement-body-position|object-curly-(?:newline|spacing)|object-property-newline|one-var-declaration-per-line|operator-linebreak|padded-blocks|quote-props|quotes|rest-spread-spacing|semi(?:-spacing|-style)?|space-(?:before-(?:blocks|function-paren)|in-parens|infix-ops|unary-ops)|switch-colon-spacing|template-(?:curly|tag)-spacing|wrap-(?:iife|regex)|yield-star-spacing)$/;
const ON = new Set(["error", "2"]);

/** A rule that the change removes, while it turns `prettier/prettier` on or leaves it on, is as before. */
export function withFormatter({before, after}: SettingPair): SettingPair {
  const isChecked = [...after].some(
    ([key, [level = ""]]) => /(?:^| )rules prettier\/prettier$/.test(key) && ON.has(level),
  );
  if (!isChecked) return {before, after};
  const lost = [...before].filter(([key]) => {
    const rule = /(?:^| )rules (\S+)/.exec(key)?.[1] ?? "";
    return !after.has(key) && ABOUT_FORMAT.test(rule);
  });
  return {before, after: new Map([...after, ...lost])};
}
