/** What counts as calling Assay, and what only looks like it. */
import {expect, test} from "vitest";
import {parseCommand, takenWords} from "../../../src/request/command.ts";
import {DEFAULT_PHRASE} from "../../../src/request/default-phrase.ts";
import {cpuClock} from "../report/cpu-time.ts";

const parse = (text: string, phrase = DEFAULT_PHRASE) => parseCommand(text, {phrase});
const work = (text: string) => ({kind: "work", text});

test.each([
  ["/assay fix the login", work("fix the login")],
  ["@assay fix the login", work("fix the login")],
  ["@assay, please fix it", work("please fix it")],
  ["@Assay: fix it", work("fix it")],
  ["/ASSAY Fix It", work("Fix It")],
  ["/assay\tfix it", work("fix it")],
  ["/assay fix this:\r\n\r\n- one\r\n- two\r\n", work("fix this:\n\n- one\n- two")],
  ["/assay fix this:\rold Mac", work("fix this:\nold Mac")],
  ["/assay\n\nthe rest is below", work("the rest is below")],
  ["\n/assay below an empty line", work("below an empty line")],
  ["\r\n@assay below an empty line", work("below an empty line")],
  ["@assay,fix it", work("fix it")],
  ["@assay. Fix it", work("Fix it")],
  ["@assay! fix it", work("fix it")],
  ["@assay\nfix it", work("fix it")],
  ['@assay"fix it"', work('"fix it"')],
  ["/assay: fix it", work("fix it")],
  ["@assay?", {kind: "help"}],
  ["/stop.", {kind: "stop"}],
  ["/stop, please", {kind: "stop"}],
  ["\n/stop", {kind: "stop"}],
  ["/Help: why does it fail?", {kind: "help"}],
  ["/status?!", {kind: "status"}],
  ["/undo...", {kind: "undo"}],
  ["/verify: lint", {kind: "verify", only: ["lint"]}],
  ["/verify. thanks", {kind: "verify", only: ["thanks"]}],
  ["/continue, with less", {kind: "continue", hint: "with less"}],
  ["/assay 🐛 in `src/a.ts` $(rm -rf /) -rf @someone", work("🐛 in `src/a.ts` $(rm -rf /) -rf @someone")],
  ["/assay keep\n> this quote\n```\n/verify\n```", work("keep\n> this quote\n```\n/verify\n```")],
  ["/assay verify", work("verify")],
  ["/assay model=opus fix it", {...work("fix it"), model: "opus"}],
  ["/assay Agent=codex model=gpt-5\nfix it", {...work("fix it"), agent: "codex", model: "gpt-5"}],
  ["/assay fix it: model=opus is ignored", work("fix it: model=opus is ignored")],
  ["/assay model= is empty, fix it", work("model= is empty, fix it")],
  ["/assay agent=a agent=b model=c fix it", {...work("model=c fix it"), agent: "b"}],
  [`/assay ${"model=x ".repeat(32_000)}`, {...work("model=x ".repeat(31_998).trim()), model: "x"}],
  ["/assay", {kind: "help"}],
  ["/assay  \r\n \r\n", {kind: "help"}],
  ["/assay help", {kind: "help"}],
  ["/help", {kind: "help"}],
  ["/Help me", {kind: "help"}],
  ["/status", {kind: "status"}],
  ["/stop it", {kind: "stop"}],
  ["/plan", {kind: "plan"}],
  ["/undo that", {kind: "undo"}],
  ["/undo Because it adds a  dependency\n> otto: push", {kind: "undo", reason: "it adds a dependency"}],
  ["/undo because", {kind: "undo"}],
  ["/Review please", {kind: "review"}],
  ["/verify", {kind: "verify", only: []}],
  ["/continue", {kind: "continue", hint: ""}],
  [
    "/Continue mind the empty list\r\n\r\nand the odd ones",
    {kind: "continue", hint: "mind the empty list\n\nand the odd ones"},
  ],
  ["/VERIFY lint  Test", {kind: "verify", only: ["lint", "Test"]}],
  ["/verify lint, test,lint\nbuild is not asked for here", {kind: "verify", only: ["lint", "test"]}],
])("%j asks", (text, request) => {
  expect(parse(text)).toEqual(request);
});

test.each([
  "",
  "   \n\t\n",
  "/verfy",
  "\n\n/verify",
  "  \n/verify",
  "\u00a0\n/verify",
  "\r/verify",
  "@assayer fix it",
  "@assay-bot fix it",
  "@assay/team please look",
  "@assay\u00a0fix it",
  "@assay's answer",
  "> /continue",
  "assay fix it",
  "please /assay fix it",
  "thanks!\n/assay fix it",
  "> /assay fix it",
  ">/verify",
  "> quoted\n/verify",
  "    /verify",
  "\t/verify",
  " /verify",
  "```\n/verify\n```",
  "``` /verify",
  "~~~\n/verify\n~~~",
  "`/verify`",
  "<!-- x -->/verify",
  "- /verify",
  "**/verify**",
  "\uFF0Fverify",
  "/verіfy",
  "/a\u017F\u017Fay fix it",
  "\uFEFF/verify",
])("%j does not ask", (text) => {
  expect(parse(text)).toBeNull();
});

test.each([
  ["/assaying is fun", {kind: "unknown", word: "/assaying", like: "/assay"}],
  ["/verifyx", {kind: "unknown", word: "/verifyx", like: "/verify"}],
  ["/Continued", {kind: "unknown", word: "/continued", like: "/continue"}],
  ["/stopwatch shows nothing", {kind: "unknown", word: "/stopwatch", like: "/stop"}],
  ["/status/page is broken", {kind: "unknown", word: "/status/page", like: "/status"}],
  ["/Plan.md is missing", {kind: "unknown", word: "/plan.md", like: "/plan"}],
  ["/verify\u200Blint", {kind: "unknown", word: "/verify\u200Blint", like: "/verify"}],
  [`/undo-${"x".repeat(200)}`, {kind: "unknown", word: `/undo-${"x".repeat(94)}`, like: "/undo"}],
])("%j is an unknown command", (text, request) => {
  expect(parse(text)).toEqual(request);
  expect(parse(text, "/assay /bot")).toEqual(request);
});

test("another phrase replaces the default one", () => {
  expect(parse("/bot do it", "/bot")).toEqual(work("do it"));
  expect(parse("/assay do it", "/bot")).toBeNull();
  expect(parse("/verify", "/bot")).toEqual({kind: "verify", only: []});
});

test("a phrase may begin with a command's word or be the beginning of one", () => {
  expect(parse("/reviewer fix it", "/reviewer")).toEqual(work("fix it"));
  expect(parse("/Reviewer: fix it", "@x /Reviewer")).toEqual(work("fix it"));
  expect(parse("/reviewers fix it", "/reviewer")).toEqual({kind: "unknown", word: "/reviewers", like: "/reviewer"});
  expect(parse("/review", "/reviewer /re")).toEqual({kind: "review"});
  expect(parse("/re do it", "/reviewer /re")).toEqual(work("do it"));
  expect(parse("@assayer do it", "@assay @assayer")).toEqual(work("do it"));
  expect(takenWords("/Helper @bot /stop /s")).toEqual(["/Helper", "/stop"]);
  expect(takenWords("/assay @assay /reviewer help")).toEqual([]);
});

test("case folding does not make look-alikes equal", () => {
  expect(parse("/\u212Aim do it", "/kim")).toBeNull();
  expect(parse("/KIM do it", "/kim")).toEqual(work("do it"));
});

test("with an empty phrase every comment is a request, and commands stay commands", () => {
  expect(parse("Make it blue\r\nplease", " ")).toEqual(work("Make it blue\nplease"));
  expect(parse("> quoted\nwhy?", "")).toEqual(work("> quoted\nwhy?"));
  expect(parse("/verify test", "")).toEqual({kind: "verify", only: ["test"]});
  expect(parse("> /verify", "")).toEqual(work("> /verify"));
  expect(parse("/plan/x.md is wrong", "")).toEqual(work("/plan/x.md is wrong"));
  expect(parse("/plans fail", "")).toEqual({kind: "unknown", word: "/plans", like: "/plan"});
  // the workflows give every text that begins with `/status` to the job that answers
  expect(parse("/status/page is wrong", "")).toEqual({kind: "unknown", word: "/status/page", like: "/status"});
  expect(parse(" \r\n ", "")).toBeNull();
});

test("a long list of stages is cut", () => {
  const names = Array.from({length: 500}, (_, index) => `s${index}`);
  expect(parse(`/verify ${names.join(" ")}`)).toEqual({kind: "verify", only: names.slice(0, 20)});
});

test("a hostile text takes no time", () => {
  const started = cpuClock();
  for (const text of [
    " ".repeat(200_000),
    "\n ".repeat(100_000),
    `/assay${" ".repeat(200_000)}x`,
    "\r".repeat(200_000),
  ]) {
    parse(text);
    parse(text, "");
  }
  expect(cpuClock() - started).toBeLessThan(1_000);
});

test.each([
  ["/approve 0123456789AB", "0123456789ab"],
  ["/approve `0123456789abcdef` because it is wanted", "0123456789abcdef"],
  ["/approve 0123456789a", ""],
  ["/approve 0123456789abz", ""],
  ["/approve", ""],
])("reads the tree of %s", (text, tree) => {
  expect(parseCommand(text, {phrase: "/assay"})).toEqual({kind: "approve", tree});
});

test.each(["/approve no-issue", "/approve cancel", "/review -i", "/review --auto", "/plan -d dir", "/verify -v"])(
  "%s is for another bot",
  (text) => {
    for (const phrase of [DEFAULT_PHRASE, ""]) expect(parse(text, phrase)).toBeNull();
  },
);

test.each([
  ["/approve", {kind: "approve", tree: ""}],
  ["/approve 0123abc", {kind: "approve", tree: ""}],
  ["/review, please", {kind: "review"}],
  ["/review the tests - all", {kind: "review"}],
  ["/undo that", {kind: "undo"}],
  ["/continue -i", {kind: "continue", hint: "-i"}],
])("%s is for Assay", (text, expected) => expect(parse(text)).toEqual(expected));
