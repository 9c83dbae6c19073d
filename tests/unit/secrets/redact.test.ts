/** Secrets in every usual disguise, at every place, in little time; and no ordinary word lost. */
import {gzipSync} from "node:zlib";
import {describe, expect, it} from "vitest";
import {createRedactor, createSecretFinder} from "../../../src/secrets/redact.ts";
import {redactRecord} from "../../../src/secrets/redact-record.ts";
import {everyNth, isSweep} from "../../sweep.ts";
import {cpuTime} from "../report/cpu-time.ts";
import {foreignText, seeded} from "../report/foreign.ts";
import {attempt, record, turn} from "../report/records.ts";
import {SCENES} from "../report/scenes.ts";

const SECRET = `k3y/with+odd "chars" & ünï <tags>'s 9f8a7b`;
const bytes = (shift: string) => Buffer.from(shift + SECRET);

const DISGUISES: Readonly<Record<string, string>> = {
  plain: SECRET,
  json: JSON.stringify({a: SECRET}),
  "json in json": JSON.stringify(JSON.stringify(SECRET)),
  url: encodeURIComponent(SECRET),
  form: new URLSearchParams({a: SECRET}).toString(),
  xml: SECRET.replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;"),
  hex: bytes("").toString("hex"),
  HEX: bytes("").toString("hex").toUpperCase(),
  base64: bytes("").toString("base64"),
  "base64 + 1": bytes("x").toString("base64"),
  "base64 + 2": bytes("xy").toString("base64"),
  base64url: bytes("").toString("base64url"),
  reversed: Array.from(SECRET).reverse().join(""),
  "first dozen cut off": SECRET.slice(12),
  "twelve of the middle": SECRET.slice(7, 19),
  "wrapped lines": (SECRET.match(/.{1,14}/gs) ?? []).join("\n"),
};

describe("known secrets", () => {
  const redact = createRedactor({secrets: [SECRET]});

  it.each(Object.entries(DISGUISES))("are masked as %s", (name, disguise) => {
    // What a disguise adds itself (quotes, a name, padding) may stay, and where it was cut less than a window.
    const mayStay = name === "wrapped lines" || name === "form" ? 24 : 10;
    for (const [before, after] of [
      ["", ""],
      ["before ", " after"],
      ["a=", "\n"],
    ] as const) {
      const left = redact(before + disguise + after);
      expect(left.startsWith(before) && left.endsWith(after)).toBe(true);
      expect(left.replaceAll("***", "").length - before.length - after.length).toBeLessThanOrEqual(mayStay);
    }
  });

  it("are not masked by a redactor that does not know them, so that the cases above can fail", () => {
    const other = createRedactor({secrets: ["something else entirely"]});
    for (const disguise of Object.values(DISGUISES)) expect(other(disguise)).toBe(disguise);
    expect(redact(gzipSync(SECRET).toString("base64"))).not.toContain("***");
  });

  it("of several lines are found line by line, as a log shows them", () => {
    const lines = createRedactor({secrets: ["first-line-a1\nsecond-line-b2\n"]});
    expect(lines("12:00 second-line-b2")).toBe("12:00 ***");
  });

  it("that are short are found whole, and too short ones left alone", () => {
    const short = createRedactor({secrets: ["hunter2", "true", "", "1"]});
    expect(short("hunter2 is true, hunter22 and hunter 2: 1")).toBe("*** is true, ***2 and hunter 2: 1");
  });
});

// Put together here, so that no scanner takes this file for a leak.
const KEYS: Readonly<Record<string, string>> = {
  "a GitHub token": `ghp_${"a1B2".repeat(9)}`,
  "an installation token": `ghs_${"a1B2".repeat(9)}`,
  "a fine-grained token": `github_pat_${"a1B2".repeat(15)}`,
  "a provider's key": `sk-ant-api03-${"a1-B2".repeat(9)}`,
  "an AWS key id": `AKIA${"A1B2".repeat(4)}`,
  "a Google key": `AIza${"a1B2c3D".repeat(5)}`,
  "a Slack token": `xoxb-${"12345-".repeat(4)}abc`,
  "a signed token": `eyJ${"hbGci".repeat(4)}.eyJ${"zdWIi".repeat(4)}.${"sigNa".repeat(5)}`,
  "a private key": `-----BEGIN RSA PRIVATE KEY-----\n${"MIIE".repeat(40)}\n-----END RSA PRIVATE KEY-----`,
  "a private key in JSON": JSON.stringify(
    `-----BEGIN PRIVATE KEY-----\n${"MIIE".repeat(40)}\n-----END PRIVATE KEY-----`,
  ).slice(1, -1),
};

describe("keys nobody told us about", () => {
  const redact = createRedactor({secrets: []});

  it.each(Object.entries(KEYS))("are seen: %s", (_name, key) => {
    expect(redact(`token=${key} end`)).toBe("token=*** end");
    expect(createSecretFinder({secrets: []})(`x ${key}`)).toMatchObject([{start: 2, end: 2 + key.length}]);
  });

  it("are seen where they stand in addresses and headers", () => {
    expect(redact("https://me:pa55word@host.example/x")).toBe("https://me:***@host.example/x");
    expect(redact("AUTHORIZATION: basic eDpnaHNf")).toBe("AUTHORIZATION: basic ***");
  });

  it("lose nothing that only looks a little like one", () => {
    const text =
      "task-list sk-some-kebab-case-class-name disk-1234 AKIA eyJ.eyJ xoxo ghp_short https://host:8080/a@b npm_config_cache -----BEGIN CERTIFICATE-----";
    expect(redact(text)).toBe(text);
  });

  it("lose the rest of a private key whose end is missing, and no more than a key", () => {
    const left = redact(`-----BEGIN PRIVATE KEY-----\n${"MIIE".repeat(500)}\n${"\nlater".repeat(10_000)}`);
    expect(left).not.toContain("MIIE");
    expect(left).toContain("later");
  });
});

describe("any text", () => {
  it("takes less than 200 ms for a megabyte, whatever it is made of", () => {
    const redact = createRedactor({secrets: [SECRET, KEYS["a private key"] ?? "", "hunter2", "x".repeat(3000)]});
    const pieces = [
      "a",
      "x",
      "sk-",
      "eyJ",
      "eyJ-",
      "eyJa.",
      "://",
      "://a:",
      "-----BEGIN PRIVATE KEY-----",
      "authorization: basic ",
      "ghp_aaaa",
      "github_pat_",
      SECRET,
      "hunter2",
      "AKIA",
      "xoxb-",
      "https://u:p@",
      "lorem ipsum dolor 123\n",
    ];
    for (const piece of everyNth(pieces, 3)) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      const best = cpuTime(() => redact(text), {enough: 200});
      expect(best, piece.slice(0, 20)).toBeLessThan(200);
    }
  }, 60_000);

  it("never makes it throw, and is clean after one pass", () => {
    for (let seed = 0; seed < (isSweep ? 500 : 150); seed++) {
      const random = seeded(seed);
      const redact = createRedactor({
        secrets: [foreignText(random, 4), foreignText(random, 9), "\ud800lone-surrogate"],
      });
      const once = redact(foreignText(random, 20));
      expect(redact(once).replaceAll("*", "").length).toBeLessThanOrEqual(once.replaceAll("*", "").length);
    }
  });
});

describe("a record", () => {
  it("loses the secret everywhere and stays a record, even when the secret is one of its own words", () => {
    const redact = createRedactor({secrets: ["hunter2-long-enough", "verified", "checkout"]});
    const scene = record({attempts: [attempt({turn: turn({answer: "the key is hunter2-long-enough"})})]});
    const clean = redactRecord({record: scene, redact});
    expect(JSON.stringify(clean)).not.toContain("hunter2");
    expect(clean.verdict).toEqual({kind: "verified"});
    expect(redactRecord({record: SCENES["parked-failed"] ?? scene, redact: (text) => text})).toEqual(
      SCENES["parked-failed"],
    );
  });
});
