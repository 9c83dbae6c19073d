/** The marks that CI systems and task runners leave where a step starts and ends, behind the prefixes of their logs. */

/** Begins a step: shells echo `$ command`, GitHub groups `Run …`, GitLab and Travis print marks of their own. */
export const STARTS = /^(?:\$ \S|##\[group\]Run |travis_time:start:|section_start:\d+:|(?:nl|\d+)?\$ \S)/;

/** Ends a failed step. Tools further down the same failure print theirs too; the first in a row counts most. */
export const FAILED =
  /exited with (?:code |status )?'?[1-9]\d*\b|^(?:error| ?ELIFECYCLE ) ?Command failed with exit code [1-9]|failed and exited with|" failed (?:\d+ times|\. Retrying)|^(?:Error: )?Process completed with exit code [1-9]|^ERROR: Job failed|marked build as failure|^Exited with code [1-9]|^Build (?:FAILED|failed)|^BUILD FAIL/;
/** Ends a step in which nothing failed. */
export const ENDED_WELL = /exited with (?:code )?0\b/;
