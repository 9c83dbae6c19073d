/** Patterns that raise or lower a line's score as the reason of a failure, for any tool. `score-lines.ts` uses them. */

/** A plain statement of failure, and a word that such statements contain. */
export const PLAIN = 10;
export const HINT = 6;

/** Raise a line's score; the first match counts. Patterns are linear: no nested repetition. */
export const FOR: readonly {readonly points: number; readonly pattern: RegExp}[] = [
  {
    points: PLAIN,
    pattern: /^(?:\s|[=|>*#-])*(?:(?:fatal|fatal error|panic|error|exception|err!)\b ?[:!\]|])|^e ?[:!\]|]/i,
  },
  {
    points: PLAIN,
    pattern: /\b(?:[A-Za-z_][\w.]{0,80})?(?:Error|Exception|Failure|Panic)\b ?[:(]/,
  },
  {
    points: PLAIN,
    pattern: /❌|⛔|\bTEST-UNEXPECTED-|^\s*(?:[✗✖✘×✕●⨯]|not ok\b|--- FAIL|FAIL\b|FAILED\b|\(fail\))/,
  },
  {
    points: PLAIN,
    pattern: /:\d+:(?:\d+:)? (?:fatal )?error\b|\(\d+,\d+\): error\b|: fatal: |\berror(?:\[\w+\])?: /,
  },
  {
    points: PLAIN,
    pattern:
      /undefined reference|command not found|No such file or directory|No space left|Permission denied|Killed\b|core dumped|assertion failed|Assertion .* failed/i,
  },
  {
    points: PLAIN,
    pattern: /^\s*(?:\d+\) |Failed asserting|Expected\b|Expected:|expected\b.*\b(?:got|but|to)\b|AssertionError)/,
  },
  {
    points: HINT,
    pattern: /\b(?:FAIL(?:ED|URES?|S)?|ERRORS?|FATAL|ABORT(?:ED|ING)?|CANCELED)\b/,
  },
  {
    points: HINT,
    pattern:
      /(?<![\w./-])(?:fail(?:ed|ures?|s)|errors?|exception|fatal|abort(?:ed|ing)|broken|crashed|refused|rejected|denied|invalid)\b(?!\.\w|[-/=]\w)/i,
  },
  {
    points: HINT,
    pattern:
      /(?<![\w./-])(?:illegal|un(?:expected|recognized|known|defined|resolved|satisfied)|incompatible|mismatch(?:ed)?|timed out|timeout|violations?|offenses?|problems?)\b(?!\.\w|[-/=]\w)/i,
  },
  {
    points: HINT,
    pattern:
      /\b(?:could not|cannot|can't|couldn't|unable to|not (?:found|defined|available|installed)|does not|doesn't|must be|missing)\b/i,
  },
  {
    points: HINT,
    pattern: /\b(?:no such|never defined|not in scope|not permitted|out of memory|dubious|stopped because)\b/i,
  },
  {
    points: HINT,
    pattern: /^\s*(?:at |#\d+ |from |in `|File "|\/\S+:\d+)/,
  },
  {points: HINT, pattern: /^[^\s:]+[.\w]*\.\w{1,8}:\d+/},
];

/** The line reports a success, an announcement or only a warning: a plain statement counts as a hint, and a hint as nothing. */
export const AGAINST: readonly RegExp[] = [
  /^\s*[^|]{1,80}\|(?:\s+[\d.]+ \|){2}|\.{4,} (?:ok|passed|skipped)\b|\bSKIPPED\b|\bXFAIL\b/i,
  // The options that a program lists after it has refused its arguments.
  /^(?:npm (?:ERR!|error))? {2,}--?[a-z][\w-]*(?:,? .*|[=[<].*)?$/i,
  /^(?:\s|\[)*(?:debug|info|notice|note|warn|warning|npm warn)\b/i,
  /\b(?:warning|deprecated|deprecation)\b/i,
  // The progress of a container image's build.
  /^#\d+ (?:\[(?!internal function)|(?:sha256:|resolve |transferring |extracting |pulling |creating |exporting |naming |writing |DONE )|(?:CACHED|\.\.\.)$)/,
  /^(?:\+ |\+\+(?!\+)\S|\$ |> |(?:\[ {0,4}\d+(?:\/\d+|%)\] )?(?:\/\S*\/)?[\w.-]*(?:cc|gcc|g\+\+|clang|c\+\+|ld|ar)(?:-\d+)? +-|(?:\[ {0,4}\d+(?:\/\d+|%)\] |libtool: +(?:compile|link): ))/,
  // What a build compiles or links.
  /^\s*(?:\[(?:CC|CXX|LD|AR|AS|GEN|LINK)\]|(?:CC|CXX|LD|AR|AS|GEN|CCLD|CXXLD)(?:\(.*\))?) +\S+$/,
];

/** Lines that explain no failure: progress bars, the layers of a container image, and the marks of a CI service. */
export const NOISE: readonly RegExp[] = [
  /\[[=#>.─━-][=#>.─━ -]{7,}\] |(?<![#█━])[#█━]{8,}[ |]{0,8}\d{1,3}(?:\.\d+)? ?%/,
  /^\s*\d{1,3}% \[|\d ?%.{0,60}\b[kKMG]i?B\/s\b/,
  /^[\da-f]{12}: [A-Z]|^travis_(?:time|fold):|^##\[endgroup\]|^::endgroup::/,
  /^[.SsIRxFEW*]{8,} *(?:\d+ \/ \d+ \( *\d+%\)|\[ *\d+%\])?$/,
];

/**
 * Lines that repeat that a command failed: npm, make, yarn, pnpm, cargo, ninja, Gradle, Go and Travis CI print them
 * below the reason; a linter names the rule and its page below each error.
 */
export const REPEATED_FAILURE: readonly RegExp[] = [
  /^npm (?:ERR!|error)(?:\s*$| +(?:code ELIFECYCLE|errno|Exit status|Failed at|This is probably|A complete log|Lifecycle script))/,
  /^npm (?:ERR!|error) +(?:command |path |workspace |location |.*-debug(?:-\d+)?\.log|\S+@\S+ \S+: `)|ELIFECYCLE/,
  /^g?make(?:\[\d+\])?: (?:\*\*\* (?:\[|Waiting)|Target .* not remade|(?:Entering|Leaving) directory)/,
  /^\S*[Mm]akefile\S*:\d+: recipe for target |^(?:error|info) (?:Command failed|Visit )/,
  /^The command "|Your build exited with|^(?:> Run with --|> Get more help|\* Try:|\* Get more help)/,
  /^ninja: build stopped|^error: (?:aborting due|could not compile|script ".*" exited)|^ERROR: "[\w:-]+" exited/,
  /^exit status \d|^ *= (?:help: (?:for further information visit |to override )|note: `(?:-[A-Z] |#\[))/,
];

/** A stack frame of an installed package or of the platform: JavaScript, Rust, Ruby, Python, PHP, Elixir, .NET, C. */
export const FOREIGN_FRAME: readonly RegExp[] = [
  /^\s*(?:at|❯) .*(?:node_modules\/|\bnode:|\(internal\/|\(<anonymous>\)$)/,
  /^\s*at (?:\/rustc\/|\S*\/\.cargo\/registry\/|(?:System|Microsoft|Xunit|NUnit)\.)/,
  /^\s*(?:from |# )?(?:\S*\/(?:gems|vendor_ruby|lib\/ruby)\/\S+:\d+:in |<internal:)/,
  /^\s*\S*\/(?:(?:site|dist)-packages|lib\/python\d[\d.]*)\/\S+:\d+: /,
  /^\s*File "(?:[^"]*\/(?:(?:site|dist)-packages|lib\/python\d[\d.]*)\/|<frozen )/,
  /^\s*(?:#\d+ )?\/\S*\/vendor\/\S+\.php[:(]\d+|^\s*\((?:elixir|stdlib|ex_unit|kernel|erts)(?: [\d.]+)?\) /,
  /^\s*#\d+ .* in (?:__libc_|_start\b|__GI_)/,
];
