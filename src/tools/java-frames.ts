/** A stack frame of the JVM in the project: not of the platform, of Kotlin, or of a test runner. */
export const JAVA_FRAME =
  /^\s+at (?!(?:[\w.@-]*\/+)?(?:java|javax|jdk|sun|org\.junit|org\.gradle|org\.apache\.maven|org\.opentest4j|kotlin)\.).*\((?<file>[\w$]+\.(?:java|kt|scala|groovy)):(?<line>\d+)\)$/;
