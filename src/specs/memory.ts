/** The memory of the repository: sentences of people with write access, and tests that a run saw, in files that one of them has merged. */
import {z} from "zod";
import {textEntries, valueAt} from "../detect/files/manifest-values.ts";
import {inside, type Project} from "../detect/files/project.ts";
import {keepVisibleText} from "../markdown/visible-text.ts";
import {parseJson} from "../record/parse-json.ts";
import {canonicalJson, digestOf} from "../record/statement.ts";
import {splitShell} from "../shell/split.ts";
import {startedScript} from "../shell/started-script.ts";

const MEMORY_FOLDER = ".assay/memory/";
/** What an entry can be about, with the words before the sentence in a prompt. */
const FORMS = {
  "run-first": "Run this first",
  "flaky-test": "A flaky test",
  rejected: "Rejected because",
  rule: "A rule of a reviewer",
} as const;

const MAX_ENTRIES = 200;
const MAX_BYTES = 2_000;
const MAX_SENTENCE = 300;
/** of all entries in a prompt */
const MAX_CHARS = 2_000;

/** One line without hidden characters and markup that a reader does not see, and no quote of somebody else. */
const isOwnSentence = (text: string): boolean =>
  text === text.trim() && !/[\n\r]|^[>"“]/.test(text) && keepVisibleText(text).text === text;

const common = {
  schema: z.literal("assay.memory/1"),
  text: z.string().min(1).max(MAX_SENTENCE).refine(isOwnSentence),
  /** the file that it is about */
  path: z.string().min(1).max(MAX_SENTENCE).refine(isOwnSentence).optional(),
};
const entrySchema = z.union([
  z.strictObject({
    ...common,
    form: z.enum(Object.keys(FORMS) as [keyof typeof FORMS, ...(keyof typeof FORMS)[]]),
    /** who wrote the sentence, and the id of the comment */
    by: z.string().regex(/^[A-Za-z0-9-]{1,39}$/),
    comment: z.int().positive(),
  }),
  /** without the id of the run, so that each run makes the same entry */
  z.strictObject({...common, form: z.literal("flaky-test"), seen: z.literal("in a run")}),
]);
export type MemoryEntry = z.infer<typeof entrySchema>;

/** An entry with its file. */
export interface KeptEntry {
  readonly path: string;
  readonly entry: MemoryEntry;
}

/** The name has the digest of the content, so that no entry is edited without a new name. */
const pathOf = (entry: MemoryEntry): string => `${MEMORY_FOLDER}${digestOf(canonicalJson(entry)).slice(0, 16)}.json`;

/** The entry that a writer's sentence makes; null if it is none. Only its first line counts: a quote may follow. */
export function entryOf(options: {text: string; by: string; comment: number; path?: string}): KeptEntry | null {
  const {text, ...source} = options;
  const [line = ""] = text.trim().split(/[\n\r]/, 1);
  const [, word = "", rest = line] = /^(run first|flaky test|rejected|rule)\s*:\s*(.*)$/i.exec(line) ?? [];
  const form = word === "" ? "rule" : word.toLowerCase().replace(" ", "-");
  return keptEntry({form, text: rest.trim(), ...source});
}

/** The entry about a test that failed and passed on the same files; null if its name can be none. */
export const flakyTestOf = (test: {text: string; path: string}): KeptEntry | null =>
  keptEntry({form: "flaky-test", ...test, seen: "in a run"});

function keptEntry(values: object): KeptEntry | null {
  const {data: entry} = entrySchema.safeParse({schema: "assay.memory/1", ...values});
  return entry === undefined ? null : {path: pathOf(entry), entry};
}

/** The content of the file. */
export const entryText = (entry: MemoryEntry): string => `${JSON.stringify(entry, null, 2)}\n`;

/** The valid entries of a commit; all other files in the folder are no memory. */
export function readMemory(project: Project): KeptEntry[] {
  const paths = project.files.filter((path) => path.startsWith(MEMORY_FOLDER) && path.endsWith(".json"));
  return paths.slice(0, MAX_ENTRIES).flatMap((path) => {
    const text = project.text(path) ?? "";
    const {data: entry} = entrySchema.safeParse(text.length > MAX_BYTES ? null : parseJson(text));
    return entry !== undefined && pathOf(entry) === path ? [{path, entry}] : [];
  });
}

/** The lines for a prompt, those first that share the most words with the task, which names the files that it is about. */
export function memoryFor(task: string, entries: readonly KeptEntry[]): string {
  const wanted = wordsOf(task);
  const scored = entries.map(({entry}) => ({
    line: `- ${FORMS[entry.form]}: ${entry.text} (${[...(entry.path ? [entry.path] : []), "by" in entry ? `@${entry.by}` : "seen in a run"].join(", ")})`,
    score: [...wordsOf(`${entry.text} ${entry.path ?? ""}`)].filter((word) => wanted.has(word)).length,
  }));
  let chars = 0;
  const lines = scored
    .toSorted((one, other) => other.score - one.score)
    .filter(({line}) => {
      const fits = chars + line.length < MAX_CHARS;
      chars += fits ? line.length + 1 : 0;
      return fits;
    });
  return lines.map(({line}) => line).join("\n");
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu));

/** Why an entry does not hold any more; null if nothing contradicts it. */
export function whyStale(
  {entry: {form, text}}: KeptEntry,
  project: Project,
  tests: ReadonlySet<string> | null,
): string | null {
  if (form === "flaky-test" && tests !== null && !tests.has(text)) return "no check reported a test with this name";
  if (form !== "run-first") return null;
  const scripts = Object.fromEntries(textEntries(valueAt(project.json(inside(".", "package.json")), "scripts")));
  for (const {words} of splitShell(text) ?? []) {
    const isMissingFile = words[0]?.startsWith("./") && !project.has(words[0].slice(2));
    if (isMissingFile) return `\`${words[0]}\` is no file`;
    const isMissingScript = words[0] === "npm" && words[1] === "run" && startedScript(words, scripts) === null;
    if (isMissingScript && scripts[words[2] ?? ""] === undefined)
      return `package.json has no script \`${words[2] ?? ""}\``;
  }
  return null;
}
