/** Scores the lines of any log by how much they look like the reason of a failure, with no knowledge of the tool. */
import type {Line} from "./lines.ts";

interface Clue {
  readonly points: number;
  readonly pattern: RegExp;
}

/** What a line gains at its best clue. Patterns are linear: no nested repetition. */
const FOR: readonly Clue[] = [
  {points: 10, pattern: /^(?:\s|[=|>*#-])*(?:fatal|fatal error|panic|error|exception|ERR!|FATAL|ERROR|E)\b ?[:!\]|]/i},
  {
    points: 10,
    pattern:
      /^Traceback \(most recent call last\)|^\s*Caused by: |Exception in thread|panicked at|^Segmentation fault|AddressSanitizer|^\s*Uncaught /,
  },
  {points: 10, pattern: /\b(?:[A-Za-z_][\w.]{0,80})?(?:Error|Exception|Failure|Panic)\b ?[:(]/},
  {points: 10, pattern: /❌|⛔|^\s*(?:[✗✖✘×✕●⨯]|not ok\b|--- FAIL|FAIL\b|FAILED\b|\(fail\))/},
  {points: 9, pattern: /:\d+:(?:\d+:)? (?:fatal )?error\b|\(\d+,\d+\): error\b|: fatal: |\berror(?:\[\w+\])?: /},
  {
    points: 9,
    pattern:
      /undefined reference|command not found|No such file or directory|No space left|Permission denied|Killed\b|core dumped|assertion failed|Assertion .* failed/i,
  },
  {
    points: 8,
    pattern: /^\s*(?:\d+\) |Failed asserting|Expected\b|Expected:|expected\b.*\b(?:got|but|to)\b|AssertionError)/,
  },
  {points: 7, pattern: /\b(?:FAIL(?:ED|URES?|S)?|ERRORS?|FATAL|ABORT(?:ED|ING)?|CANCELED)\b/},
  {
    points: 6,
    pattern:
      /\b(?:failed|failure|failures|fails|error|errors|exception|fatal|aborted|aborting|broken|crashed|refused|rejected|denied|invalid|illegal|unexpected|unrecognized|unknown|undefined|unresolved|unsatisfied|incompatible|mismatch(?:ed)?|timed out|timeout|violation|violations|offenses?|problems?)\b/i,
  },
  {
    points: 6,
    pattern:
      /\b(?:could not|cannot|can't|couldn't|unable to|not found|not defined|not available|not installed|does not|doesn't|must be|missing|no such|never defined|not in scope|not permitted|out of memory|dubious|stopped because)\b/i,
  },
  {points: 4, pattern: /^\s*(?:at |#\d+ |from |in `|File "|\/\S+:\d+)/},
  {points: 4, pattern: /^[^\s:]+[.\w]*\.\w{1,8}:\d+/},
];

/** What a line loses: it says that something went well, is only announced, or is a mere warning. */
const AGAINST: readonly Clue[] = [
  {points: 9, pattern: /^\s*[^|]{1,80}\|(?:\s+[\d.]+ \|){2}|\.{4,} (?:ok|passed|skipped)\b|\bSKIPPED\b|\bXFAIL\b/i},
  {
    points: 8,
    pattern:
      /\b(?:0|no|zero) (?:errors?|failures?|failed|problems|warnings)\b|(?:failures?|errors?|failed|fail)\s*[:=] ?0\b/i,
  },
  {
    points: 7,
    pattern: /^\s*(?:ok\b|PASS\b|--- PASS|✓|✔|√|\[ {0,7}OK|\(pass\))|\b(?:ok|OK|passed|PASSED|success)\s*(?:\(\d|$)/,
  },
  {points: 6, pattern: /^(?:\s|\[)*(?:debug|info|notice|note|warn|warning|npm warn)\b/i},
  {points: 5, pattern: /\b(?:warning|deprecated|deprecation)\b/i},
  {
    points: 6,
    pattern:
      /^\s*(?:Downloading|Downloaded|Fetching|Installing|Installed|Get:\d|Unpacking|Setting up|Selecting|Preparing|Compiling|Building|Using|Reading|Checking|Requirement|Collecting|Resolving|Progress|remote:)\b/,
  },
  {points: 5, pattern: /^(?:\+ |\$ |> |\/\S*\/(?:cc|gcc|g\+\+|clang|ld|ar)\b|(?:cc|gcc|g\+\+|clang|c\+\+) -)/},
];

const BLANK = /^[\s=*_~.·─━-]*$/;

/** A quick look that spares most lines the lists above: every clue for a failure holds one of these. */
const MAY_COUNT =
  /err|fail|excep|fatal|panic|abort|cannot|can't|could|unable|not |no such|never|undefined|unknown|unres|unsat|unexp|unrec|invalid|illegal|expect|missing|miss|must|does|denied|refus|reject|time|broken|crash|mismatch|violat|offens|problem|traceback|caused|segment|sanitizer|uncaught|killed|core dumped|assert|permission|no space|out of|incompat|cancel|[✗✖✘×✕●❌⨯⛔]|dubious|wstat|:\d|\bat |#\d|^\s*(?:\d+\)|from |in `|E )/i;

/** Points of one line: 0 for nothing of note, about 10 for a plain statement of failure. */
export function pointsOf(line: Line): number {
  const {body} = line;
  if (body === "" || BLANK.test(body)) return 0;
  if (!MAY_COUNT.test(body)) return 0;
  const found = FOR.find((clue) => clue.pattern.test(body))?.points ?? 0;
  if (found === 0) return 0;
  const lost = AGAINST.find((clue) => clue.pattern.test(body))?.points ?? 0;
  return Math.max(0, found - lost) * (line.lasting ? 1 : 0.3);
}

/** True for lines that report progress or success and so explain nothing. */
export function isChatter(line: Line): boolean {
  return !line.lasting || AGAINST.some((clue) => clue.pattern.test(line.body));
}
