/** Gradle: failed tests and failed tasks. */
import {JAVA_FRAME} from "./java-frames.ts";
import {identifyInClass} from "./junit-names.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const gradle: Tool = {
  name: "gradle",
  output: {
    markers: [" FAILED", "FAILURE: Build "],
    blocks: [
      {
        start: /^(?=\S.* > )(?<testId>.*) FAILED$/,
        end: /^\S/,
        maxLines: 40,
        inside: [/^ {4}(?<message>(?!at )\S.*)$/, JAVA_FRAME],
      },
      {
        start: /^\* What went wrong:$/,
        end: /^\* (?:Try|Get more help|Exception is|Where)/,
        maxLines: 40,
        inside: [/^(?<message>\S.*)$/],
      },
    ],
  },
  summaries: [
    {pattern: /^(?<ran>\d+) tests? completed, (?<list>\d+ failed(?:, \d+ skipped)?)/gm},
    {pattern: /^(?=\S[^\n]* > )[^\n]* (?<word>PASSED|FAILED|SKIPPED)\s*$/gm, unless: ["gradle", "pytest"]},
    {pattern: /^> Task :(?:[\w.:-]*:)?\w*[tT]est (?<zero>NO-SOURCE)/gm},
  ],
  report: {
    commands: ["gradle *"],
    request: {
      kind: "written",
      files: /(?:^|\/)build\/test-results\/[^/]+\/TEST-[^/]+\.xml$/,
      words: ["--continue"],
    },
    continues: ["--continue", "--no-continue"],
    format: {identify: (test) => identifyInClass(test, ".")},
  },
};

export const gradleCommand: ToolCommand = {
  programs: ["gradle", "gradlew"],
  reads: {family: "gradle", commands: ["gradle", "gradlew"]},
  starts: {
    "gradle build": ["gradle assemble", "gradle check", "gradle test", "gradle jvmTest test", "gradle jvmTest"],
    "gradle check": ["gradle test"],
  },
  compiles: {family: "jvm", commands: ["gradle *"]},
  unsafe: [
    {
      match:
        "gradle|gradlew connectedAndroidTest|connectedCheck|connectedDebugAndroidTest|connectedReleaseAndroidTest|deviceAndroidTest|deviceCheck|installDebug|installRelease",
      kind: "browser",
    },
    {
      match: "gradle|gradlew spotlessApply|ktlintFormat|format",
      swap: {spotlessApply: "spotlessCheck", ktlintFormat: "ktlintCheck"},
    },
  ],
  actions: {
    "gradle/gradle-build-action": "./gradlew {arguments}",
    "gradle/gradle-command-action": "./gradlew {arguments}",
  },
};
