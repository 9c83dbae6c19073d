/** Reads from a runner's output which tests failed, so that only these can be rerun. */

import {TOOLS} from "../tools/all.ts";
import type {FailedTestPatterns, TestName} from "../tools/tool.ts";
import {countTests} from "./count-tests.ts";
import {bodiesOf, type LogLines, readLines} from "./lines.ts";

const RUNNERS = TOOLS.flatMap(({name, failedTests: patterns}) => (patterns === undefined ? [] : [{name, patterns}]));
/** The runners whose failed tests can be read. */
export const TEST_TOOLS: readonly string[] = RUNNERS.map(({name}) => name);

export interface FailedTests {
  readonly tool: string;
  /** without duplicates, in order of appearance; never empty */
  readonly tests: readonly TestName[];
  /** false if the output does not show that all other tests ran: then a rerun must include these */
  readonly isComplete: boolean;
}

/**
 * Takes the output of one test stage; escape codes and runner prefixes are allowed. Null if the failed tests are
 * unknown: the output is of no runner in `TEST_TOOLS` or of several, or it names fewer tests than have failed. Pure and
 * linear.
 */
export function failedTests(output: string): FailedTests | null {
  const lines = readLines(output);
  const bodies = bodiesOf(lines);
  const [readTests, ...others] = RUNNERS.flatMap((runner) => readOutput({...runner, lines, bodies}));
  return readTests === undefined || others.length > 0 ? null : readTests;
}

/** False if this tool's output shows an early end, or does not show that the run was complete. */
export function ranToItsEnd(tool: string, output: string): boolean {
  const bodies = bodiesOf(readLines(output));
  return RUNNERS.some(({name, patterns}) => name === tool && isWhole(patterns, bodies));
}

/** The runner whose output shows an early end, or lacks its last lines; null if there is none. */
export function endedEarly(output: string): string | null {
  const bodies = bodiesOf(readLines(output));
  const seenRunners = RUNNERS.filter(({patterns}) => bodies.some((body) => patterns.marker.test(body)));
  return seenRunners.find(({patterns}) => !isWhole(patterns, bodies))?.name ?? null;
}

function isWhole({cutShort, allRan}: FailedTestPatterns, bodies: readonly string[]): boolean {
  const says = (pattern: RegExp | undefined) => pattern !== undefined && bodies.some((body) => pattern.test(body));
  return !says(cutShort) && (allRan === undefined || says(allRan));
}

function readOutput(options: {
  name: string;
  patterns: FailedTestPatterns;
  lines: LogLines;
  bodies: readonly string[];
}): FailedTests[] {
  const {name, patterns, bodies} = options;
  if (!bodies.some((body) => patterns.marker.test(body))) return [];
  const start = patterns.from;
  const listStart = start === undefined ? 0 : bodies.findIndex((body) => start.test(body));
  const readTests = listStart < 0 ? [] : readList(patterns, bodies.slice(listStart));
  const failed = countTests(options.lines)?.failed;
  if (readTests.length === 0 || (patterns.isCounted !== true && (failed === undefined || readTests.length < failed)))
    return [];
  const tests = onlyOnce(readTests.filter(({passesOn}) => !passesOn));
  return [{tool: name, tests, isComplete: isWhole(patterns, bodies)}];
}

type ReadTest = {-readonly [Key in "file" | "name"]: TestName[Key]} & {passesOn: boolean};

function readList(patterns: FailedTestPatterns, bodies: readonly string[]): ReadTest[] {
  const readTests: ReadTest[] = [];
  let above: string | null = null;
  let packageCount = 0;
  bodies.forEach((body, at) => {
    above = fileIn(patterns.above, body) ?? above;
    const lastTest = readTests.at(-1);
    if (lastTest !== undefined) {
      lastTest.file ??= fileIn(patterns.place, body);
      lastTest.passesOn ||= patterns.passedOn?.test(body) === true;
    }
    const failedFile = fileIn(patterns.below, body);
    if (failedFile !== null) {
      for (const test of readTests.slice(packageCount)) test.file ??= failedFile;
      if (readTests.length === packageCount) readTests.push({file: failedFile, name: null, passesOn: false});
      packageCount = readTests.length;
    }
    const groups = firstMatch(patterns.tests, body);
    if (groups === undefined) return;
    const name = nameOf({patterns, groups, below: bodies.slice(at + 1, at + 12)});
    readTests.push({file: groups["file"] ?? above, name, passesOn: false});
  });
  return readTests;
}

type Groups = Readonly<Record<string, string | undefined>>;

const fileIn = (pattern: RegExp | undefined, body: string): string | null =>
  pattern?.exec(body)?.groups?.["file"] ?? null;

function firstMatch(patterns: readonly RegExp[], body: string): Groups | undefined {
  for (const pattern of patterns) {
    const groups = pattern.exec(body)?.groups;
    if (groups !== undefined) return groups;
  }
  return undefined;
}

function nameOf(options: {patterns: FailedTestPatterns; groups: Groups; below: readonly string[]}): string | null {
  const {name, owner, file} = options.groups;
  if (name === undefined || options.patterns.wholeFile?.test(name) === true) return null;
  if (owner !== undefined) return options.patterns.nameOf?.(owner, name) ?? name;
  // node:test reports a file that cannot be loaded as a test with the file's name.
  if (file === undefined && /^\S+\.[cm]?[jt]sx?$/.test(name)) return null;
  return options.patterns.longTitles === true ? longTitle(name, options.below) : name;
}

function longTitle(title: string, below: readonly string[]): string {
  const parts = [title];
  for (const line of below) {
    if (parts.at(-1)?.endsWith(":") === true || !/^ {7,}\S/.test(line)) break;
    parts.push(line.trim());
  }
  return parts.join(" ").replace(/:$/, "");
}

function onlyOnce(readTests: readonly ReadTest[]): TestName[] {
  return [...new Map(readTests.map(({file, name}) => [JSON.stringify([file, name]), {file, name}])).values()];
}
