/** Knows which keys of test runners and type checkers have no rule, but can still decide what is checked. */
import {INTEGRITY} from "../../tools/all-integrity.ts";
import {HARMLESS_FOR_TESTS} from "../../tools/javascript-test-settings.ts";
import type {OpenSettings} from "../../tools/tool-integrity.ts";

type SettingTexts = readonly string[] | undefined;

const SECTIONS: readonly OpenSettings[] = [
  ...INTEGRITY.flatMap(({openSettings}) => openSettings ?? []),
  {
    files: /(?:^|\/)(?:\.nycrc[^/]*|\.c8rc[^/]*)$/,
    keys: /^\S+$|^(?:globals|coverageThreshold) /,
    harmless: HARMLESS_FOR_TESTS,
  },
  {files: /(?:^|\/)package\.json$/, keys: /^(?:nyc|c8) /, harmless: HARMLESS_FOR_TESTS},
  {
    files: /(?:^|\/)(?:pyproject\.toml|setup\.cfg|\.coveragerc)$/,
    keys: /^(?:tool )?(?:coverage[ :])?(?:run|report) /,
    harmless:
      / (?:parallel|show_missing|skip_(?:covered|empty)|precision|plugins|context|dynamic_context|data_file|concurrency|relative_files|sort|format|core|patch|sigterm|debug|disable_warnings|exclude\w*|omit|source_dirs|source_pkgs)$/,
  },
];

const ON = /^(?:true|on|error|always)$/i;
/** Options that make a tool stricter when they are on. */
const STRICTER =
  /require|forbid|fail|strict|check|error|branch|only$|recursive|async|erasable|verbatim|isolatedDecl|allowJs/i;

/** True unless the change of a key without a rule is known to check no less. */
export function isUnknownChange(path: string, key: string, before: SettingTexts, after: SettingTexts): boolean {
  if (before?.join("\0") === after?.join("\0")) return false;
  const section = SECTIONS.find(({files, keys}) => files.test(path) && keys.test(key));
  if (section === undefined || section.harmless.test(key)) return false;
  const isSwitchedOn = after?.length === 1 && ON.test(after[0] ?? "");
  return !(isSwitchedOn && STRICTER.test(key));
}
