/** Maven, and the test reports of surefire and failsafe. */

import {stemOf} from "../git/paths.ts";
import {quoteWords} from "../shell/quote.ts";
import {JAVA_FRAME} from "./java-frames.ts";
import {identifyInClass} from "./junit-names.ts";
import {lineFormat} from "./line-format.ts";
import {choosesPackages} from "./narrow-words.ts";
import {filesOf} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

const JAVA_MESSAGE = /^\s*(?:Caused by: )?(?<message>(?:[\w$]+\.)*[A-Z][\w$]*(?:Error|Exception|Failure|Failed)\b.*)$/;

/** Options that make short runs faster and long ones slower, in a variable that may contain others. */
export const SHORT_RUNS = {variable: "MAVEN_OPTS", options: "-XX:TieredStopAtLevel=1"};

export const maven: Tool = {
  name: "maven",
  output: {
    warningsPass: true,
    markers: ["[ERROR] ", "[WARNING] "],
    lines: [
      lineFormat("[%t<ERROR|WARNING>] %f<\\w{1,8}>:[%l{,%c}] {error: }%m"),

      /^\[ERROR\] {2,}(?<message>\w[\w$]*\.\S+:\d+(?:->\S+)? .*)$/,
      /^\[ERROR\] (?<message>Failed to execute goal .*)$/,
      /^\[(?:ERROR|FATAL)\] (?<message>(?:Non-resolvable|Unresolveable|Could not|Plugin|The build could not|Some problems|'\w|Malformed|No goals|The goal you|Unknown lifecycle).*)$/,
    ],
  },
  narrowToPackages: {
    commands: ["mvn *"],
    manifest: "pom.xml",
    narrow: ({words, packages}) => {
      if (words.some(choosesPackages)) return null;
      return [...words, "-pl", packages.map((folder) => quoteWords(folder)).join(","), "-am"].join(" ");
    },
  },
  earlyStop: {commands: ["mvn *"], letters: "ff"},
  // Without the optimizing compiler of Java's virtual machine, a run in a small project takes half of the time.
};

export const surefire: Tool = {
  name: "surefire",
  output: {
    markers: ["<<< FAILURE!", "<<< ERROR!"],
    blocks: [
      {
        start: /^(?:\[ERROR\] +)?(?<testId>[\w.$()[\], -]+?)(?: +-- +| {2,})Time elapsed: .* <<< (?:FAILURE|ERROR)!$/,
        end: /^\[?(?:INFO|ERROR|WARNING|Tests run)|^$|^Running |^Results ?:/,
        blankUntil: /^\s+at \S/,
        maxLines: 60,
        inside: [JAVA_MESSAGE, JAVA_FRAME, /^(?<message>\S.*)$/],
      },
    ],
  },
  summaries: [
    {
      pattern:
        /^(?:\[\w+\] +)?Tests run: (?<ran>\d+), (?<list>Failures: \d+, Errors: \d+, Skipped: \d+)(?:, Flakes: \d+)?\s*$/gm,
    },
    {pattern: /^(?:\[\w+\] +)?(?<zero>No tests (?:to run\.|were executed!))/gm},
  ],
  // maven.apache.org/surefire/maven-surefire-plugin/examples/rerun-failing-tests.html
  retried: /^(?:\[\w+\] +)?Tests run: .*, Flakes: [1-9]\d*$/m,
  rerun: {
    calls: /^(?:\S*\/)?mvnw?$/,
    narrow: (tests) => {
      const files = tests.every(({name}) => name === null) ? filesOf(tests) : null;
      if (files === null) return null;
      const classes = new Set(files.map((file) => stemOf(file)));
      // Modules without one of these classes must not fail because of it. Older versions use the second name.
      const goOn = ["-Dsurefire.failIfNoSpecifiedTests=false", "-DfailIfNoTests=false"];
      return {end: [`-Dtest=${[...classes].join(",")}`, ...goOn]};
    },
    endsEarly: {end: ["-Dsurefire.skipAfterFailureCount=1"]},
    never: ["-Dtest", "-Dit.test", "-DskipTests", "-Dmaven.test.skip"],
  },
  report: {
    commands: ["mvn *"],
    request: {
      kind: "written",
      files: /(?:^|\/)target\/(?:surefire|failsafe)-reports\/TEST-[^/]+\.xml$/,
      words: ["--fail-at-end"],
    },
    continues: ["-fae", "-ff", "-fn", "--fail-*"],
    format: {identify: (test) => identifyInClass(test, ".")},
  },
  coverage: {
    commands: ["mvn *"],
    // Maven knows the short name only of a plugin that the project uses.
    words: () => ["jacoco:report"],
    written: /(?:^|\/)target\/site\/jacoco[\w-]*\/jacoco\.xml$/,
    never: ["jacoco:report", "-Djacoco.skip"],
    format: "jacoco",
  },
};

export const mavenCommand: ToolCommand = {
  reads: {family: "maven", commands: ["mvn", "mvnw"]},
  compiles: {family: "jvm", commands: ["mvn *"]},
  // Failing unit tests end Maven's lifecycle before the integration tests.
  bail: {
    commands: ["mvn * verify *", "mvn * install *", "mvn * deploy *"],
    files: ["pom.xml"],
    says: /maven-failsafe-plugin/,
  },
};
