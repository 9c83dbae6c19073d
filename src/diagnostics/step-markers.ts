/** The markers of CI systems and task runners for the start and end of a step, after the prefixes of their logs. */

/** Start a step: shells echo `$ command`, GitHub groups `Run …`, GitLab and Travis print their own markers. */
export const STARTS = /^(?:\d*\$ \S|##\[group\]Run |travis_time:start:|section_start:\d+:)/;

/** End a failed step. Other tools may print theirs for the same failure later; the first in a row counts most. */
export const FAILED: readonly RegExp[] = [
  /(?<!Your build )exited with (?:code |status )?'?[1-9]\d*\b/,
  /^(?:error| ?ELIFECYCLE ) ?Command failed with exit code [1-9]|failed and exited with/,
  /" failed (?:\d+ times|\. Retrying)|^(?:Error: )?Process completed with exit code [1-9]/,
  /^ERROR: Job failed|marked build as failure|^Exited with code [1-9]|^Build (?:FAILED|failed)(?!.*:$)|^BUILD FAIL/,
];
/** End a step, or a command of it, without failures. Maven, Gradle, Ant, sbt and yarn print such a line. */
export const ENDED_WELL =
  /exited with (?:code )?0\b|^(?:\[INFO\] )?BUILD SUCCESS|^\[success\] Total time|^(?:✨ +)?Done in [\d.]+m?s\.?$/;
