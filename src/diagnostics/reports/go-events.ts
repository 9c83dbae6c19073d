/** Translates the events of `go test -json` back to the output of `go test`, and counts the tests. */

import {z} from "zod";
import type {Reported} from "../../record/evidence.ts";
import {parseJson} from "../../record/parse-json.ts";
import {firstInformativeLine, openTally} from "./tally.ts";

/** From `go doc test2json`: a package's event has no `Test`, and a compiler's message has an `ImportPath`. */
const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().default(""),
});

export interface Translation {
  /** Takes whole lines and returns the text that replaces them, possibly in a later call. */
  add(lines: string): string;
  /** Returns the remaining text, after the last line. */
  end(): string;
  /** Null if there was no event. */
  report(): Omit<Reported, "tool"> | null;
}

/** The rest of a test's output is dropped, and a longer output is not read to its end either. */
const MAX_TEST_CHARS = 128 * 1024;
const MAX_HELD_CHARS = 16 * 1024 * 1024;
/** The markers of `-v`, which are not printed without it. */
const MARK = /^=== (?:RUN|PAUSE|CONT|NAME|ATTR)\b/;
/** Lines that are never dropped: the result of a test or a package. */
const RESULT_LINE = /^(?:\s*--- |panic: |fatal error: |FAIL\b|ok\b)/;
/** The base name in front of a logged text (testing.go, `decorate`). */
const PLACE = /(?<=^\s+)[^\s:/]+\.go(?=:\d+: )/;
const ENDS = {pass: "passed", fail: "failed", skip: "skipped"} as const;
const endOf = (action: string) => (action === "pass" || action === "fail" || action === "skip" ? ENDS[action] : null);

interface Package {
  /** the output of its failed tests and its own, shown at its end, because packages run in parallel */
  shown: string;
  readonly open: Map<string, string>;
  hasFailedTest: boolean;
}

/** `fileOf` finds a package's file, whose base name Go prints; null if it is unknown. */
export function translateGoEvents(
  fileOf: (packageName: string, file: string) => string | null = () => null,
): Translation {
  const tally = openTally({isLenient: false});
  const packages = new Map<string, Package>();
  let held = 0;
  let isAny = false;

  const packageOf = (name: string): Package => {
    const knownPackage = packages.get(name) ?? {shown: "", open: new Map(), hasFailedTest: false};
    packages.set(name, knownPackage);
    return knownPackage;
  };
  const close = (name: string): string => {
    const {shown = "", open = new Map<string, string>()} = packages.get(name) ?? {};
    packages.delete(name);
    const text = [...open.values()].join("") + shown;
    held -= text.length;
    return text;
  };
  const printAll = (): string => [...packages.keys()].map(close).join("");

  function take(line: string): string {
    const event = eventIn(line);
    if (event === null) return `${line}\n`;
    isAny = true;
    const {Action: action, Package: name, Test: test} = event;
    if (name === undefined) return event.Output;
    const output = event.Output.replace(PLACE, (file: string) => fileOf(name, file) ?? file);
    const packageState = packageOf(name);
    if (action === "output") {
      const textBefore = test === undefined ? packageState.shown : (packageState.open.get(test) ?? "");
      const isWithinBounds = textBefore.length + output.length <= MAX_TEST_CHARS || RESULT_LINE.test(output);
      if (!isWithinBounds || MARK.test(output) || output === "PASS\n") return "";
      held += output.length;
      if (test === undefined) packageState.shown += output;
      else packageState.open.set(test, textBefore + output);
      return held > MAX_HELD_CHARS ? printAll() : "";
    }
    if (action === "run" && test !== undefined) packageState.open.set(test, "");
    const outcome = endOf(action);
    if (outcome === null) return "";
    if (test !== undefined) {
      const testOutput = packageState.open.get(test) ?? "";
      packageState.open.delete(test);
      held -= testOutput.length;
      if (outcome === "failed") {
        const text = asPrinted(testOutput);
        const above = parentOf(test, packageState.open);
        held += text.length;
        if (above === null) packageState.shown += text;
        else packageState.open.set(above, (packageState.open.get(above) ?? "") + text.replace(/^(?=.)/gm, "    "));
      }
      packageState.hasFailedTest ||= outcome === "failed";
      tally.add({outcome, test: {file: name, name: test, title: test, message: messageIn(testOutput)}});
      return "";
    }
    // A package that cannot be built, or whose tests all passed before it failed.
    if (outcome === "failed" && !packageState.hasFailedTest)
      tally.add({outcome, test: {file: name, name: null, title: name, message: messageIn(packageState.shown)}});
    return close(name);
  }
  return {
    add: (lines) => lines.replace(/\n$/, "").split("\n").map(take).join(""),
    end: printAll,
    report: () => (isAny ? tally.result() : null),
  };
}

function eventIn(line: string): z.infer<typeof eventSchema> | null {
  if (!line.startsWith("{")) return null;
  // Tests may print other lines that begin with a brace, and the last line may be cut.
  const event = eventSchema.safeParse(parseJson(line)).data;
  return event?.Package === undefined && event?.ImportPath === undefined ? null : event;
}

/**
 * Without `-json`, go prints the line with a failed test's name after the test's printed text and before its logged
 * text.
 */
function asPrinted(testOutput: string): string {
  const lines = testOutput.split(/(?<=\n)/);
  const isLogged = (line: string) => line.startsWith("    ");
  const end = lines.findIndex((line) => line.startsWith("--- "));
  const printedLines = lines.filter((line, at) => at !== end && !isLogged(line));
  return [...printedLines, ...lines.slice(end, end + 1), ...lines.filter(isLogged)].join("");
}

/** The unfinished test that contains this one. */
function parentOf(test: string, open: ReadonlyMap<string, string>): string | null {
  const above = [...open.keys()].filter((name) => test.startsWith(`${name}/`));
  return above.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** Follows the line that names the test. The text of the tests inside is theirs. */
const messageIn = (testOutput: string): string =>
  firstInformativeLine(testOutput.replace(/^ +--- .*\n(?: {8}.*\n?)*/gm, "").replace(/^\s*--- FAIL: .*$/gm, ""));
