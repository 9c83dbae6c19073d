/** Recognizes code that could not be loaded: none of its tests has run. */
import type {Diagnostic, StageResult} from "../record/evidence.ts";

/** The test's file, or a file that it is compiled with, cannot be loaded without the change. */
const NOT_LOADED = [
  /\b(?:ImportError|ModuleNotFoundError|SyntaxError|IndentationError)\b|cannot import name|No module named/,
  /Cannot find (?:module|package)|Failed to (?:resolve|load)|ERR_MODULE_NOT_FOUND|does not provide an export|Could not resolve|Transform failed/,
  /\[(?:build|setup) failed\]|\bundefined: \w|\bundefined \(type|not declared by package|has no field or method|unknown field|too (?:many|few|not enough) arguments in call|not enough arguments in call|cannot use .* as .* (?:value|type)/,
  /\berror\[E\d{4}\]|could not compile|unresolved import|cannot find (?:function|type|value|struct|macro|symbol)|no (?:method|function|variant|field).* found/,
  /COMPILATION ERROR|cannot find symbol|package \S+ does not exist|incompatible types|\berror TS\d+|\bTS\d{4}:/,
];

/** True if the output reports that code could not be compiled or loaded. */
export const saysNotLoaded = (text: string): boolean => NOT_LOADED.some((pattern) => pattern.test(text));

/**
 * A module or file that does not exist, as Node, bundlers, Python and C compilers report it. Absolute paths are outside
 * of the checkout, whose own path is cut off.
 */
const MISSING =
  /Cannot find module ['"](?!\/)[^'"]+['"]|Failed to (?:resolve import|load url) ["']?[^/\s]|No module named ['"]?\w|ENOENT: no such file or directory, \w+ '(?!\/)|\[Errno 2\] No such file or directory: '(?!\/)|fatal error: (?!\/)\S+: No such file or directory/;
/** True for a test that is called like its file: the whole file failed (node:test, pytest, Vitest). */
export const isFileTitle = (title: string): boolean => /\.(?:[cm]?[jt]sx?|py)(?:: test failed)?$/.test(title);

/** Why a stage's failure says nothing about the code: it could not be loaded. Empty if each failing test has run. */
export function whyNotLoaded({kind, diagnostics, reported}: StageResult): string {
  const isTest = kind === "test" || kind === "check";
  const errors = diagnostics.filter(({severity}) => severity === "error");
  const isUnloaded = ({testId, message}: Diagnostic): boolean =>
    MISSING.test(message) || (isTest && (testId === undefined ? saysNotLoaded(message) : isFileTitle(testId)));
  const file = reported?.failed.find(({name, title}) => name === null && isFileTitle(title))?.title;
  const unloaded = errors.find(isUnloaded);
  const what = file ?? unloaded?.testId ?? unloaded?.message.split("\n", 1)[0];
  return what === undefined ? "" : `this could not be loaded, so it tests nothing: ${what.slice(0, 200)}`;
}
