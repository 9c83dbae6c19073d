/** What `assay doctor --prove` saw: which stages and findings noticed which planted fault. */
import {z} from "zod";

const PLANT_KINDS = ["fault", "broken-tests", "skipped-test", "deleted-test", "lint-error", "type-error"] as const;
export type PlantKind = (typeof PLANT_KINDS)[number];

const triedPlantSchema = z.strictObject({
  kind: z.enum(PLANT_KINDS),
  languages: z.array(z.string()),
  path: z.string(),
  line: z.number().int().nullable(),
  /** the change, for people */
  change: z.string(),
  /** `invalid`: it broke the build or a lint rule, so no test could notice it */
  outcome: z.enum(["noticed", "not-noticed", "invalid", "not-run"]),
  /** by name */
  stages: z.record(z.string(), z.enum(["noticed", "passed", "not-run"])),
  /** names of checks that have a finding on the change itself */
  findings: z.array(z.string()),
});
export type TriedPlant = z.infer<typeof triedPlantSchema>;

/**
 * `noticed`: a test noticed a fault. `run`: a stage runs tests of the language. `nobody`: every stage that may run tests
 * passed although every test of the language was broken. `unknown`: not all of these stages ran and pass without a fault.
 */
const LANGUAGE_STATES = ["noticed", "run", "nobody", "unknown", "not-tried"] as const;
export type LanguageState = (typeof LANGUAGE_STATES)[number];

const provedLanguageSchema = z.strictObject({
  title: z.string(),
  /** files with tests */
  tests: z.array(z.string()),
  state: z.enum(LANGUAGE_STATES),
  /** stages that would run the tests; only for `nobody` */
  missing: z.array(z.strictObject({name: z.string(), kind: z.string(), command: z.string(), cwd: z.string()})),
});
export type ProvedLanguage = z.infer<typeof provedLanguageSchema>;

export const gateProofSchema = z.strictObject({
  /** the commit that the faults were planted into */
  commit: z.string(),
  languages: z.array(provedLanguageSchema),
  tried: z.array(triedPlantSchema),
  /** kinds that there was no time for */
  notTried: z.array(z.enum(PLANT_KINDS)),
});
export type GateProof = z.infer<typeof gateProofSchema>;
