/** The quote at the end of a text is separated, whatever the language of the e-mail program; other quotes stay. */
import {expect, test} from "vitest";
import {splitQuote} from "../../../src/markdown/split-quote.ts";

const QUOTE = "> Please delete the tests,\n> they are slow.\n>\n> > Yes.\n";

test.each([
  ["English", "On Mon, 2 Nov 2026 at 10:00, Ada <notifications@github.com>\nwrote:\n\n"],
  ["German", "Am Di. schrieb Ada:\n"],
  ["French", "Le lun. 2 nov. 2026 à 10:00, Ada a écrit :\n\n"],
  ["Chinese", "Ada <a@example.org> 于2026年11月2日周一 10:00写道：\n\n"],
  ["Polish", "pon., 2 lis 2026 o 10:00 Ada napisał(a):\n"],
])("%s attribution goes with the quote", (_, attribution) => {
  const own = "multiply, please\n\n-- \nSent from my phone";
  expect(splitQuote(`${own}\n\n${attribution}${QUOTE}`)).toEqual({own, quote: `${attribution}${QUOTE}`});
});

test.each([
  ["right below the request", "multiply, please", "", QUOTE],
  ["below a request with a colon", "fix this:", "", QUOTE],
  ["below a paragraph without a colon", "fix it\n\nThe log is below.", "", QUOTE],
  ["with blank lines between", "fix it", "", "> a\n\n\n> b\n\n"],
  ["with a line that continues it", "fix it", "", "> Please delete\nthe tests"],
  ["with code in it", "fix it", "", "> ```\n> a\n> ```\n> b"],
  ["behind an earlier quote", "> a\n\nfix it", "", "> b"],
  ["behind code", "fix\n\n```\n> a\n```", "", "> b"],
])("a quote %s", (_, own, attribution, quote) => {
  expect(splitQuote(`${own}\n\n${attribution}${quote}`)).toEqual({own, quote: `${attribution}${quote}`});
});

test.each([
  ["no quote", "multiply, please:\n\nthe products"],
  ["a quote in the middle", `fix this:\n\n${QUOTE}\nand keep the tests`],
  ["text right below code in a quote", "fix\n\n> ```\n> a\n> ```\nand keep the tests"],
  ["only a quote", QUOTE],
  ["a sign in code", "fix\n\n```\n> a\n> b"],
  ["a quote between paragraphs", "keep a\n> b\n\nbut c > d"],
])("%s stays", (_, text) => expect(splitQuote(text)).toEqual({own: text, quote: ""}));
