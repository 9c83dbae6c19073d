/** Recognizes code that could not be loaded: none of its tests has run. */
import type {Diagnostic, StageResult} from "../record/evidence.ts";
import {isTold, tellingOf} from "./telling.ts";

/** The test's file, or a file that it is compiled with, cannot be loaded without the change. */
const NOT_LOADED = tellingOf(
  `cannot import name, no module named, cannot find module, cannot find package, failed to resolve, failed to load,
  err_module_not_found, does not provide an export, could not resolve, transform failed, [build failed], [setup failed],
  undefined (type, not declared by package, has no field or method, unknown field, too many arguments in call,
  too few arguments in call, not enough arguments in call, could not compile, unresolved import, cannot find function,
  cannot find type, cannot find value, cannot find struct, cannot find macro, cannot find symbol, compilation error,
  incompatible types`,
  /\b(?:ImportError|ModuleNotFoundError|SyntaxError|IndentationError)\b/,
  /\bundefined: \w|cannot use .* as .* (?:value|type)/,
  /\berror\[E\d{4}\]|no (?:method|function|variant|field).* found/,
  /package \S+ does not exist|\bTS\d{4}:|\berror TS\d+/,
);

/** True if the output reports that code could not be compiled or loaded. */
export const saysNotLoaded = (text: string): boolean => isTold(NOT_LOADED, text);

/**
 * A module or file that does not exist, as Node, bundlers, Python and C compilers report it. Absolute paths are outside
 * of the checkout, whose own path is cut off.
 */
const MISSING: readonly RegExp[] = [
  /Cannot find module ['"](?!\/)[^'"]+['"]|Failed to (?:resolve import|load url) ["']?[^/\s]/,
  /No module named ['"]?\w|fatal error: (?!\/)\S+: No such file or directory/,
  /ENOENT: no such file or directory, \w+ '(?!\/)|\[Errno 2\] No such file or directory: '(?!\/)/,
];
/** True for a test that is called like its file: the whole file failed (node:test, pytest, Vitest). */
export const isFileTitle = (title: string): boolean => /\.(?:[cm]?[jt]sx?|py)(?:: test failed)?$/.test(title);

/** Why a stage's failure says nothing about the code: it could not be loaded. Empty if each failing test has run. */
export function whyNotLoaded({kind, diagnostics, reported}: StageResult): string {
  const isTest = kind === "test" || kind === "check";
  const errors = diagnostics.filter(({severity}) => severity === "error");
  const isUnloaded = ({testId, message}: Diagnostic): boolean =>
    MISSING.some((pattern) => pattern.test(message)) ||
    (isTest && (testId === undefined ? saysNotLoaded(message) : isFileTitle(testId)));
  const file = reported?.failed.find(({name, title}) => name === null && isFileTitle(title))?.title;
  const unloaded = errors.find(isUnloaded);
  const what = file ?? unloaded?.testId ?? unloaded?.message.split("\n", 1)[0];
  return what === undefined ? "" : `this could not be loaded, so it tests nothing: ${what.slice(0, 200)}`;
}
