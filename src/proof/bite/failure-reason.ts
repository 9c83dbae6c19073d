/** Classifies why a new test fails on the base: another assertion, missing code, or it cannot be loaded. */
import {saysNotLoaded} from "../../diagnostics/not-loaded.ts";
import type {BiteReason} from "../../record/bite.ts";
import {nameSet} from "../../tools/names.ts";

/** The base lacks code that the test calls. */
const MISSING = [
  /\b(?:AttributeError|NameError|NotImplementedError|NotImplemented)\b|has no attribute|unexpected keyword argument|takes (?:no|\d+|from \d+ to \d+) (?:positional )?arguments?/,
  /is not (?:a function|a constructor|defined|iterable)|Cannot (?:read|set|destructure) propert|Invalid Chai property/,
  /NoSuchMethod|NoSuchField|ClassNotFound|not implemented|unimplemented|UnsupportedOperation|unknown (?:option|command|flag)|no such (?:option|command)/i,
];
/** A Go test fails with any text that it logs: the runner prints it after the place in the test. */
const COMPARES = /^\s*\w+_test\.go:\d+: |to (?:equal|be|have|match|throw)\b|should (?:be|have|equal|not)|[!=]==?|≠/;
const COMPARING_WORDS = nameSet("expect expected expects got want");
const COMPARING_PARTS = [
  ...["assertionerror", "assertionfailed", "comparisonfailure", "did not", "differ", "mismatch", "not equal"],
  ...["panicked", "snapshot"],
];

function isAboutValues(message: string): boolean {
  const text = message.toLowerCase();
  const words = text.match(/\w+/g) ?? [];
  return (
    COMPARES.test(text) ||
    words.some((word) => word.startsWith("assert") || COMPARING_WORDS.has(word)) ||
    COMPARING_PARTS.some((part) => text.includes(part))
  );
}

/** `isWholeFile` if the runner reports no single test of the file. */
export function biteReason(options: {message: string; isWholeFile: boolean}): BiteReason {
  if (options.isWholeFile) return "not-loaded";
  if (/^(?:E\s+)?(?:\w+\.)*(?:AssertionError|assert\b)/.test(options.message)) return "assertion";
  if (saysNotLoaded(options.message)) return "not-loaded";
  if (MISSING.some((pattern) => pattern.test(options.message))) return "missing";
  return isAboutValues(options.message) ? "assertion" : "error";
}
