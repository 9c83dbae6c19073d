/** Classifies why a new test fails on the base: another assertion, missing code, or it cannot be loaded. */
import {saysNotLoaded} from "../../diagnostics/not-loaded.ts";
import type {BiteReason} from "../../record/bite.ts";

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
  if (options.isWholeFile) return "not-loaded";
  if (/^(?:E\s+)?(?:\w+\.)*(?:AssertionError|assert\b)/.test(options.message)) return "assertion";
  if (saysNotLoaded(options.message)) return "not-loaded";
  if (MISSING.some((pattern) => pattern.test(options.message))) return "missing";
  return ASSERTION.test(options.message) ? "assertion" : "error";
}
