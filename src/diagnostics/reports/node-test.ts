/** Reads the output of Assay's own reporter for node:test. */
import {z} from "zod";
import type {ReportedTest} from "../../record/evidence.ts";
import {firstInformativeLine, type Tally} from "./tally.ts";

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
      message: z.string(),
    }),
  ]),
);

/**
 * Node reports tests in order, each after the tests inside of it. A suite counts by the tests inside, and so does a
 * test that fails only because of them. False for any other content.
 */
export function readNodeTest(json: unknown, tally: Tally): boolean {
  const parsed = eventsSchema.safeParse(json);
  if (!parsed.success) return false;
  const open: Started[] = [];
  const files = openFiles();
  for (const event of parsed.data) {
    if (event.type === "test:summary" || event.type === "test:enqueue") {
      files.sees(event);
      continue;
    }
    if (event.type === "test:start") {
      const {name, nesting, file = null} = event;
      const above = nesting === 0 ? "" : `${open[nesting - 1]?.title.slice(0, MAX_TITLE_CHARS)} > `;
      open.splice(nesting, Infinity, {name, file, title: above + name});
      continue;
    }
    // Each has its own start, so that all names together are not longer than the report.
    const [started] = open.splice(event.nesting);
    if (started === undefined) return false;
    if (event.why === "subtestsFailed") continue;
    const test = testOf({...started, nesting: event.nesting, message: event.message});
    const hasFailed = event.type === "test:fail" && !event.isSpared;
    if (test.file !== null && !hasFailed) files.passes(test.file, test.name === null);
    if (hasFailed || !event.isSuite)
      tally.add({outcome: hasFailed ? "failed" : event.isSpared ? "skipped" : "passed", test});
  }
  for (const file of files.endedEarly()) tally.addEndedEarly(file);
  return true;
}

/**
 * Finds passed files without a test of their own, or without an event at the end of their tests, because their
 * processes may have ended early. If Node summarizes the whole run, it also summarizes each file that has a separate
 * process.
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
      const cutFiles = [...tested].filter((file) => summed.has(null) && separate.has(file) && !summed.has(file));
      return [...new Set([...empty, ...cutFiles])];
    },
  };
}

/** A title contains at most this many characters of the names of the enclosing tests. */
const MAX_TITLE_CHARS = 500;

interface Started {
  readonly name: string;
  readonly file: string | null;
  readonly title: string;
}

/** A file without tests, or one that cannot be loaded, is reported as a test with the file's name. */
function testOf({name, file, title, nesting, message}: Started & {nesting: number; message: string}): ReportedTest {
  const isWhole = nesting === 0 && (file === name || file?.endsWith(`/${name}`) === true);
  return {file, name: isWhole ? null : name, title, message: firstInformativeLine(message)};
}
