/** Tests that another session wrote from the request before the work, and that the agent never sees. */
import {z} from "zod";
import {usageSchema} from "./usage.ts";

/**
 * Why a written test does not count. `passes`: it passes on the base. `flaky`: two runs on the base differ. `syntax`: its
 * file cannot be read. `import`: its file cannot be loaded, and not because of a name that the request introduces.
 * `missing-name`: it uses another name that the base lacks. `error`: it fails, but not by its own assertion. `unrelated`:
 * it uses no name of the request. `cannot-fail`: it has no assertion that can fail, or may be skipped. `not-run`: its
 * result is unknown.
 */
const UNCOUNTED_REASONS = [
  "passes",
  "flaky",
  "syntax",
  "import",
  "missing-name",
  "error",
  "unrelated",
  "cannot-fail",
  "not-run",
] as const;
export type UncountedReason = (typeof UNCOUNTED_REASONS)[number];

const heldOutTestSchema = z.object({
  path: z.string(),
  /** with its groups; empty for a file whose tests cannot be read */
  name: z.string(),
  line: z.number().int(),
  text: z.string(),
  /** the words of the request that it uses */
  about: z.array(z.string()),
  /** null if it counts */
  uncounted: z.object({reason: z.enum(UNCOUNTED_REASONS), detail: z.string()}).nullable(),
  /** absent if it was not run on the candidate */
  onCandidate: z.enum(["passes", "fails", "unknown"]).optional(),
});
export type HeldOutTest = z.infer<typeof heldOutTestSchema>;

export const heldOutSchema = z.object({
  /** the commit on the base that adds their files; null if there is none */
  commit: z.string().nullable(),
  tests: z.array(heldOutTestSchema),
  /** why no session wrote tests; empty if one did */
  problem: z.string(),
  /** of the session that wrote them */
  usage: usageSchema,
  durationMs: z.number(),
});
export type HeldOut = z.infer<typeof heldOutSchema>;

/** Only these say something about a candidate. */
export const countedTests = ({tests}: {readonly tests: readonly HeldOutTest[]}): HeldOutTest[] =>
  tests.filter(({uncounted}) => uncounted === null);
