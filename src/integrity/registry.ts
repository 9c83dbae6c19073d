/** All integrity checks, in the order of their findings in a report. */
import {dependencies} from "./checks/dependencies.ts";
import {disabledTests} from "./checks/disabled-tests.ts";
import {mockedSubject} from "./checks/mocked-subject.ts";
import {notInspectedFiles} from "./checks/not-inspected.ts";
import {removedTests} from "./checks/removed-tests.ts";
import {replacedTools} from "./checks/replaced-tools.ts";
import {runnerTricks} from "./checks/runner-tricks.ts";
import {scripts} from "./checks/scripts.ts";
import {settings} from "./checks/settings.ts";
import {snapshots} from "./checks/snapshots.ts";
import {suppressions} from "./checks/suppressions.ts";
import {testDetection} from "./checks/test-detection.ts";
import {weakenedTests} from "./checks/weakened-tests.ts";
import type {IntegrityCheck} from "./source/inspected-change.ts";

export const INTEGRITY_CHECKS: readonly IntegrityCheck[] = [
  removedTests,
  disabledTests,
  weakenedTests,
  mockedSubject,
  runnerTricks,
  scripts,
  settings,
  replacedTools,
  suppressions,
  testDetection,
  dependencies,
  snapshots,
  notInspectedFiles,
];
