/** javac, kotlinc and scalac, alone or through maven, gradle and sbt; the test reports of surefire and gradle. */
import {form, type ToolRules} from "./rules.ts";

const JAVA_FRAME =
  /^\s+at (?!(?:[\w.@-]*\/+)?(?:java|javax|jdk|sun|org\.junit|org\.gradle|org\.apache\.maven|org\.opentest4j|kotlin)\.).*\((?<file>[\w$]+\.(?:java|kt|scala|groovy)):(?<line>\d+)\)$/;
const JAVA_MESSAGE = /^\s*(?:Caused by: )?(?<message>(?:[\w$]+\.)*[A-Z][\w$]*(?:Error|Exception|Failure|Failed)\b.*)$/;

export const jvm: readonly ToolRules[] = [
  {
    tool: "maven",
    signs: ["[ERROR] ", "[WARNING] "],
    lines: [
      form(
        /^\[(?<severity>ERROR|WARNING)\] (?<file>(?:[A-Za-z]:)?[^\s:][^:]*\.\w{1,8}):\[(?<line>\d+)(?:,(?<column>\d+))?\] (?:error: )?(?<message>.*)$/,
      ),
      form(
        /^\[(?<severity>ERROR|WARN|WARNING)\] (?<file>(?:[A-Za-z]:)?[^\s:][^:]*\.\w{1,8}):(?<line>\d+)(?::(?<column>\d+))?: ?(?<message>.*)$/,
      ),
      form(/^\[ERROR\] {2,}(?<message>\w[\w$]*\.\S+:\d+(?:->\S+)? .*)$/),
      form(/^\[ERROR\] (?<message>Failed to execute goal .*)$/),
      form(
        /^\[(?:ERROR|FATAL)\] (?<message>(?:Non-resolvable|Unresolveable|Could not|Plugin|The build could not|Some problems|'\w|Malformed|No goals|The goal you|Unknown lifecycle).*)$/,
      ),
    ],
  },
  {
    tool: "surefire",
    signs: ["<<< FAILURE!", "<<< ERROR!"],
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
  {
    tool: "gradle",
    signs: [" FAILED", "FAILURE: Build "],
    blocks: [
      {
        start: /^(?=\S.* > )(?<testId>.*) FAILED$/,
        end: /^\S/,
        maxLines: 40,
        inside: [
          /^ {4}(?<message>\S.*?) at (?<file>[\w$]+\.\w+):(?<line>\d+)$/,
          /^ {4}(?<message>(?!at )\S.*)$/,
          JAVA_FRAME,
        ],
      },
      {
        start: /^\* What went wrong:$/,
        end: /^\* (?:Try|Get more help|Exception is|Where)/,
        maxLines: 40,
        inside: [/^(?<message>\S.*)$/],
      },
    ],
  },
  {
    tool: "checkstyle",
    signs: ["[ant:checkstyle] "],
    lines: [
      form(
        /^\[ant:checkstyle\] \[(?<severity>ERROR|WARN)\] (?<file>(?:[A-Za-z]:)?[^\s:][^:]*):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.*?)(?: \[(?<code>\w+)\])?$/,
      ),
    ],
  },
  {
    tool: "kotlinc",
    signs: [".kt", ".kts"],
    lines: [
      form(
        /^e: (?:file:\/\/)?(?<file>[^\s:]+\.kts?):(?: \()?(?<line>\d+)(?:[:,] ?(?<column>\d+)\)?:?)? (?<message>.*)$/,
      ),
      form(
        /^w: (?:file:\/\/)?(?<file>[^\s:]+\.kts?):(?: \()?(?<line>\d+)(?:[:,] ?(?<column>\d+)\)?:?)? (?<message>.*)$/,
        "warning",
      ),
    ],
  },
  {
    tool: "scalac",
    signs: ["[error] ", "[warn] ", ".scala:"],
    lines: [
      form(
        /^(?:\[(?:error|warn)\] )?(?<severity>error|warning) file=(?<file>\S+) message=(?<message>.*?)(?: line=(?<line>\d+))?(?: column=(?<column>\d+))?$/,
      ),
      form(
        /^\[(?<severity>error|warn)\] (?:-- .*: )?(?<file>[^\s:]+):(?<line>\d+)(?::(?<column>\d+))?:? (?<message>.*)$/,
      ),
      form(/^\[(?<severity>error|warn)\] (?<file>[^\s:]+\.scala): (?<message>.*)$/),
    ],
  },
  {
    tool: "javac",
    signs: [".java:"],
    lines: [
      form(/^(?<file>(?:[A-Za-z]:)?[^\s:][^:]*\.java):(?<line>\d+): (?<severity>error|warning): (?<message>.*)$/),
    ],
  },
  {
    tool: "java",
    signs: ["\tat ", "Exception in thread"],
    blocks: [
      {
        start:
          /^(?:Exception in thread "[^"]*" |Caused by: )?(?<message>(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Error|Exception|Failure)\b.*)$/,
        end: /^(?!\s+at |\s+\.\.\. \d|Caused by|\s*Suppressed|$|\s)/,
        maxLines: 80,
        inside: [JAVA_FRAME],
      },
    ],
  },
];
