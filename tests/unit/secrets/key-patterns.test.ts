/** Tokens of the forms that services publish; secretlint's rules say which texts are some. */
import {globSync, readFileSync} from "node:fs";
import {rules} from "@secretlint/secretlint-rule-preset-recommend";
import {describe, expect, it} from "vitest";
import {patternSpans} from "../../../src/secrets/key-patterns.ts";
import {seeded} from "../report/foreign.ts";

const ALPHABETS = {
  x: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  h: "0123456789abcdef",
  d: "0123456789",
  U: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
};

/** `{x40}` in a form becomes 40 characters of an alphabet: no token stands in this file. */
function make(form: string, seed: number): string {
  const random = seeded(seed);
  return form.replaceAll(/\{([xhdU])(\d+)\}/g, (_, name: keyof typeof ALPHABETS, count: string) =>
    Array.from({length: Number(count)}, () => ALPHABETS[name][Math.floor(random() * ALPHABETS[name].length)]).join(""),
  );
}

/** The parts of a text that secretlint reports. */
function reported(content: string): [number, number][] {
  const found: [number, number][] = [];
  for (const rule of rules) {
    const context = {
      createTranslator: () => (id: string) => ({message: id, messageId: id}),
      report: ({range}: {range: [number, number]}) => void found.push(range),
      ignore: () => {},
    };
    rule.create(context, {})?.file?.({filePath: "a.txt", ext: ".txt", content, contentType: "text"});
  }
  return found;
}

const covers = (text: string, [start, end]: readonly [number, number]) =>
  patternSpans(text).some((span) => span.start <= start && span.end >= end);

/** Forms of secretlint's rules. */
const KNOWN = [
  "sk-ant-api03-{x93}AA",
  "sk-{x20}T3BlbkFJ{x20}",
  "gsk_{x52}",
  "lin_api_{x40}",
  "ntn_{d11}{x35}",
  "SG.{x22}.{x43}",
  "shpat_{h32}",
  "sk_live_{x32}",
  "ghp_{x36}",
  "github_pat_{x82}",
  "ghs_{d10}_{x40}.{x200}.{x80}",
  "glpat-{x20}",
  "glc_{x120}==",
  "glsa_{x32}_{h8}",
  "hvs.{x95}",
  "hvb.{x150}",
  "vcp_{x24}",
  "dapi{h32}",
  "dckr_pat_{x27}",
  "figd_{x40}",
  "cfat_{x40}{h8}",
  "tskey-auth-{x12}CNTRL-{x32}",
  "npm_{x36}",
  "xoxb-{d12}-{d12}-{x24}",
  "https://hooks.slack.com/services/T{U8}/B{U8}/{x24}",
];
/** Forms of services that secretlint's rules leave out, as gitleaks has them. */
const FURTHER = [
  "{x3}8Q~{x34}",
  "AccountKey={x86}==",
  "SK{h32}",
  "M{x23}.{x6}.{x27}",
  "https://discord.com/api/webhooks/{d18}/{x68}",
  "dop_v1_{h64}",
  "{d10}:AA{x33}",
];

describe("a token of a published form", () => {
  it.each(KNOWN)("is found where secretlint finds one: %s", (form) => {
    for (let seed = 1; seed <= 5; seed++) {
      const text = `const key = "${make(form, seed)}";\n`;
      const ranges = reported(text);
      expect(ranges.length, text).toBeGreaterThan(0);
      for (const range of ranges) expect(covers(text, range), text).toBe(true);
    }
  });

  it.each(FURTHER)("is found as a whole: %s", (form) => {
    for (let seed = 1; seed <= 5; seed++) {
      const key = make(form, seed);
      const text = `const key = "${key}";\n`;
      const start = text.indexOf(key) + (key.startsWith("AccountKey=") ? "AccountKey=".length : 0);
      expect(covers(text, [start, text.indexOf('";')]), text).toBe(true);
    }
  });

  it("is found behind the name of an account's secret", () => {
    const text = `AWS_SECRET_ACCESS_KEY=${make("{x40}", 1)}\n`;
    const [range = [0, 0]] = reported(text);
    expect(covers(text, [text.indexOf("=") + 1, range[1]])).toBe(true);
  });
});

it("finds no key of a service in sources without one", () => {
  const files = globSync(["src/**/*.ts", "docs/**/*.md", "lifecycle/*.ts", "package-lock.json"]);
  const kinds = files.flatMap((file) => patternSpans(readFileSync(file, "utf8")).map(({what}) => `${file}: ${what}`));
  expect(files.length).toBeGreaterThan(500);
  expect(kinds.filter((kind) => /service's|webhook|account's/.test(kind))).toEqual([]);
});
