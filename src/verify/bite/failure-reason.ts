/** Classifies why a new test fails on the base: another assertion, missing code, or it cannot be loaded. */
import type {BiteReason} from "../../record/bite.ts";

/** The test's file, or a file that it is compiled with, cannot be loaded without the change. */
const NOT_LOADED = [
  /\b(?:ImportError|ModuleNotFoundError|SyntaxError|IndentationError)\b|cannot import name|No module named/,
  /Cannot find (?:module|package)|Failed to (?:resolve|load)|ERR_MODULE_NOT_FOUND|does not provide an export|Could not resolve|Transform failed/,
  /\[(?:build|setup) failed\]|\bundefined: \w|\bundefined \(type|not declared by package|has no field or method|unknown field|too (?:many|few|not enough) arguments in call|not enough arguments in call|cannot use .* as .* (?:value|type)/,
  /\berror\[E\d{4}\]|could not compile|unresolved import|cannot find (?:function|type|value|struct|macro|symbol)|no (?:method|function|variant|field).* found/,
  /COMPILATION ERROR|cannot find symbol|package \S+ does not exist|incompatible types|\berror TS\d+|\bTS\d{4}:/,
];
/** The base lacks code that the test calls. */
const MISSING = [
  /\b(?:AttributeError|NameError|NotImplementedError|NotImplemented)\b|has no attribute|unexpected keyword argument|takes (?:no|\d+|from \d+ to \d+) (?:positional )?arguments?/,
  /is not (?:a function|a constructor|defined|iterable)|Cannot (?:read|set|destructure) propert|Invalid Chai property/,
  /NoSuchMethod|NoSuchField|ClassNotFound|not implemented|unimplemented|UnsupportedOperation|unknown (?:option|command|flag)|no such (?:option|command)/i,
];
/** A Go test fails with any text that it logs: the runner prints it after the place in the test. */
const ASSERTION =
  /^\s*\w+_test\.go:\d+: |\bassert|\bexpect(?:ed|s)?\b|AssertionError|ComparisonFailure|AssertionFailed|DID NOT RAISE|panicked|to (?:equal|be|have|match|throw)\b|should (?:be|have|equal|not)|[!=]==?|≠|\bgot\b|\bwant\b|did not|mismatch|not equal|differ|snapshot/i;

/** `isWholeFile` if the runner reports no single test of the file. */
export function biteReason(options: {message: string; isWholeFile: boolean}): BiteReason {
  const matchesAny = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(options.message));
  if (options.isWholeFile) return "not-loaded";
  if (/^(?:E\s+)?(?:\w+\.)*(?:AssertionError|assert\b)/.test(options.message)) return "assertion";
  if (matchesAny(NOT_LOADED)) return "not-loaded";
  if (matchesAny(MISSING)) return "missing";
  return ASSERTION.test(options.message) ? "assertion" : "error";
}

/** True if the output reports that code could not be compiled or loaded. */
export const saysNotLoaded = (text: string): boolean => NOT_LOADED.some((pattern) => pattern.test(text));
