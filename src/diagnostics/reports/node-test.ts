/** Asks node:test for a report by a reporter of our own beside its usual one, and reads what that one writes. */
import {z} from "zod";
import type {ReportedTest} from "../../record/evidence.ts";
import {firstTelling, type Tally} from "./tally.ts";

/** Node's own choice where nobody asks for a reporter: TAP off a terminal until Node 23. */
const PRINTS = `
import {stdout, versions} from "node:process";
import {spec, tap} from "node:test/reporters";
const reporter = parseInt(versions.node) < 23 && !stdout.isTTY ? tap : spec;
export {reporter as default};
`;

/**
 * Prints nothing, and never throws, which would end the run. It is loaded before the first test, and takes the question out
 * of the environment, so that no test sees it and nothing that a test starts is asked too.
 */
const writesTo = (file: string): string => `
import {writeFileSync} from "node:fs";
import {env} from "node:process";
const others = (env.NODE_OPTIONS ?? "").replace(/ ?--test-reporter=data:\\S+ --test-reporter-destination=stdout/g, "");
if (others === "") delete env.NODE_OPTIONS; else env.NODE_OPTIONS = others;
const seen = [];
let isWhole = true;
const safely = (act) => { try { act(); } catch { isWhole = false; } };
const textOf = (what) => (typeof what === "string" ? what.slice(0, 2000) : "");
export {write as default};
async function* write(events) {
  for await (const {type, data} of events) {
    if (type === "test:summary") seen.push({type, file: data.file});
    if (type === "test:enqueue" && data.nesting === 0 && data.file?.endsWith(data.name)) seen.push({type, file: data.file});
    if (type === "test:start") seen.push({type, name: data.name, nesting: data.nesting, file: data.file});
    if (type === "test:pass" || type === "test:fail") safely(() => {
      const {nesting, skip, todo, details: {type: kind, error} = {}} = data;
      const isSpared = [skip, todo].some((mark) => mark !== undefined && mark !== false);
      const said = textOf(error?.cause?.message ?? error?.cause) || textOf(error?.message);
      seen.push({type, nesting, isSpared, isSuite: kind === "suite", why: error?.failureType, said});
    });
  }
  safely(() => isWhole && writeFileSync(${JSON.stringify(file)}, JSON.stringify(seen)));
}
`;

/** A module as one word that neither a shell nor Node's reading of NODE_OPTIONS takes apart. */
function moduleOf(code: string): string {
  const text = encodeURIComponent(code.trim()).replace(/[!~*'()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `data:text/javascript,${text}`;
}

/** Options of Node 18.17 and later, for NODE_OPTIONS: with a second reporter, the first must be named too. */
export const nodeTestWords = (file: string): string[] =>
  [PRINTS, writesTo(file)].flatMap((code) => [
    `--test-reporter=${moduleOf(code)}`,
    "--test-reporter-destination=stdout",
  ]);

const eventsSchema = z.array(
  z.union([
    z.object({type: z.literal("test:summary"), file: z.string().optional()}),
    z.object({type: z.literal("test:enqueue"), file: z.string().optional()}),
    z.object({
      type: z.literal("test:start"),
      name: z.string(),
      nesting: z.int().min(0).max(1_000),
      file: z.string().optional(),
    }),
    z.object({
      type: z.enum(["test:pass", "test:fail"]),
      nesting: z.int().min(0).max(1_000),
      isSpared: z.boolean(),
      isSuite: z.boolean(),
      why: z.string().optional(),
      said: z.string(),
    }),
  ]),
);

/**
 * Node gives the events in the order of the tests, a test behind those inside of it. A suite, and a test that only passes on
 * what failed inside of it, counts by what is inside. False: it is no such report.
 */
export function readNodeTest(json: unknown, tally: Tally): boolean {
  const read = eventsSchema.safeParse(json);
  if (!read.success) return false;
  const open: Started[] = [];
  const files = openFiles();
  for (const event of read.data) {
    if (event.type === "test:summary" || event.type === "test:enqueue") {
      files.sees(event);
      continue;
    }
    if (event.type === "test:start") {
      const {name, nesting, file = null} = event;
      const above = nesting === 0 ? "" : `${open[nesting - 1]?.title.slice(0, MOST_ABOVE)} > `;
      open.splice(nesting, Infinity, {name, file, title: above + name});
      continue;
    }
    // Each has its own start, so that all names together are no longer than the report.
    const [started] = open.splice(event.nesting);
    if (started === undefined) return false;
    if (event.why === "subtestsFailed") continue;
    const test = testOf({...started, nesting: event.nesting, said: event.said});
    const hasFailed = event.type === "test:fail" && !event.isSpared;
    if (test.file !== null && !hasFailed) files.passes(test.file, test.name === null);
    if (hasFailed || !event.isSuite)
      tally.add({outcome: hasFailed ? "failed" : event.isSpared ? "skipped" : "passed", test});
  }
  for (const file of files.endedEarly()) tally.addEndedEarly(file);
  return true;
}

/**
 * Which files passed without a test of their own, or without a word at the end of their tests: their processes may have ended
 * before that. A Node that sums up the whole run sums up each file that has a process of its own, too.
 */
function openFiles() {
  const [summed, separate] = [new Set<string | null>(), new Set<string | null>()];
  const [empty, tested] = [new Set<string>(), new Set<string>()];
  return {
    sees(event: {type: "test:summary" | "test:enqueue"; file?: string | undefined}) {
      (event.type === "test:summary" ? summed : separate).add(event.file ?? null);
    },
    passes: (file: string, isWhole: boolean) => (isWhole ? empty : tested).add(file),
    endedEarly(): string[] {
      const cut = [...tested].filter((file) => summed.has(null) && separate.has(file) && !summed.has(file));
      return [...new Set([...empty, ...cut])];
    },
  };
}

/** Of the names above a test, so many characters are in its title at most. */
const MOST_ABOVE = 500;

interface Started {
  readonly name: string;
  readonly file: string | null;
  readonly title: string;
}

/** A file without tests, or that cannot be loaded, is reported as a test of the file's own name. */
function testOf({name, file, title, nesting, said}: Started & {nesting: number; said: string}): ReportedTest {
  const isWhole = nesting === 0 && (file === name || file?.endsWith(`/${name}`) === true);
  return {file, name: isWhole ? null : name, title, message: firstTelling(said)};
}
