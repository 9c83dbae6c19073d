/** Replaces signs that could look like Assay's verdict by words. */

/** Each sign with the word that replaces it; emoji names are GitHub's (https://api.github.com/emojis). */
const SIGNS: readonly (readonly [word: string, characters: string, names: string])[] = [
  [
    "(check mark)",
    "✅☑✓✔🗸🆗💯🟢🟩",
    "white_check_mark|heavy_check_mark|ballot_box_with_check|ok|100|green_circle|green_square",
  ],
  ["(cross)", "❌❎✕✖✗✘☒🔴🟥", "x|negative_squared_cross_mark|heavy_multiplication_x|red_circle|red_square"],
  ["(warning sign)", "⚠🟡🟨🟠", "warning|yellow_circle|yellow_square|orange_circle"],
  ["(stop sign)", "🛑⛔🚫", "stop_sign|octagonal_sign|no_entry|no_entry_sign"],
  ["(speech bubble)", "💬🗨🗯💭", "speech_balloon|left_speech_bubble|right_anger_bubble|thought_balloon"],
  ["(box)", "☐⬜⬛◻◼▢", "white_large_square|black_large_square"],
  ["(medal)", "🏅🎖🥇🏆", "medal_sports|medal_military|1st_place_medal|trophy"],
];

/** A page drops a backslash before a letter of a name, and still shows the emoji. */
const patternFor = (name: string) => [...name].map((letter) => `\\\\?${letter}`).join("");

const RULES = SIGNS.map(([word, characters, names]) => {
  const list = names.split("|").map(patternFor).join("|");
  // with the selectors that style the character as text or emoji
  return {word, pattern: new RegExp(`(?:[${characters}]|\\\\?:(?:${list})\\\\?:)[\\u{fe0e}\\u{fe0f}]*`, "giu")};
});

export function withoutVerdictSigns(text: string): string {
  return RULES.reduce((rest, {word, pattern}) => rest.replace(pattern, word), text);
}
