/** Withdraws the claim `verified` if the request is to repair a check that still fails. */

import {lastTitlePart} from "../proof/gate-runs/lost-tests.ts";
import type {StageResult} from "../record/evidence.ts";
import {isPreExisting} from "../record/failure-cause.ts";
import type {Plan} from "../record/plan.ts";
import type {Verdict} from "../record/verification.ts";
import {isVerified, type StageKind} from "../record/words.ts";

/** `request` is the comment that started the run; empty without one. */
export interface RequestTexts {
  readonly title: string;
  readonly body: string;
  readonly request: string;
}

/** Adjusts the verdict if the request is a repair. Optional stages count, too, if the request names them. */
export function withRequest(
  verdict: Verdict,
  {stages, plan, request}: {stages: readonly StageResult[]; plan: Plan; request: RequestTexts | null},
): Verdict {
  if (request === null || !isVerified(verdict)) return verdict;
  const failingStages = stages.filter((result) => isPreExisting(result) && isRequested(result, {plan, request}));
  if (failingStages.length === 0) return verdict;
  return {kind: "unverified", why: "still-failing", detail: failingStages.map(({name}) => name).join(", ")};
}

function isRequested(result: StageResult, {plan, request}: {plan: Plan; request: RequestTexts}): boolean {
  const {name, kind, diagnostics, reported, baseline} = result;
  const tools = plan.stages.find((stage) => stage.name === name)?.tools ?? [];
  const ids = diagnostics.flatMap(({testId}) => testId ?? []);
  const titles = (reported?.failed ?? []).map(({title}) => title);
  const tests = [...new Set([...ids, ...titles].flatMap((test) => [test, lastTitlePart(test)]))];
  return asksToRepair(request, {
    kind,
    names: [name, ...tools.map((tool) => tool.name)],
    tests,
    isPartlyFixed: (baseline?.fixed ?? 0) > 0,
  });
}

export interface FailingCheck {
  readonly kind: StageKind;
  /** the stage's name and the names of its tools */
  readonly names: readonly string[];
  /** names of the tests that fail, without their groups */
  readonly tests: readonly string[];
  /** true if the change repairs part of its failures: then “the test” may be one of these */
  readonly isPartlyFixed: boolean;
}

const ANY_CHECK = "CI|pipeline|checks|the build|GitHub Actions|everything";
const NOUNS: Readonly<Record<StageKind, string>> = {
  typecheck: "types|typing|type[- ]?(?:check(?:s|er|ing)?|errors?)|compil(?:ation|er errors?)",
  lint: "lint(?:er|ing|s)?|formatting",
  test: "tests|test[- ]suite|specs",
  build: "build|compil(?:ation|er errors?)",
  check: "tests|test[- ]suite|build",
};
/** Only the start of a long body is read, because the request is rarely at its end. */
const MAX_BODY = 4000;
const CLAUSE = /[.!?;:\n]+(?=\s|$)|,\s|\s(?:and|but|because|since)\s/i;
/** A clause with such a word is about something else: work that leaves the failure as it is, or a test to write. */
const OTHER_WORK =
  /\b(?:ignor\w*|unrelated|known|pre-?existing|already|except|without|despite|regardless|do not|don['’]t|never|avoid|add|write|leave|should fail|must fail|instead of)\b/i;
const REPAIR = /\b(?:fix|repair|fail|broken|red|green|pass)(?:\w*)\b/i;
/** After a noun, these words show that the noun only describes another thing. */
const PART = "(?!\\W+(?:command|helpers?|names?|data|docs?|coverage|fixtures?|utils?|script|matrix|runner|output)\\b)";

/** When in doubt, the request is about something else. */
export function asksToRepair({title, body, request}: RequestTexts, check: FailingCheck): boolean {
  const text = [title, request, body.slice(0, MAX_BODY)].join("\n");
  if (!REPAIR.test(text)) return false;
  if (check.tests.some((name) => isDistinct(name) && mentions(text, name))) return true;
  const patterns = failingPatterns(check);
  const clauses = text.replace(/```[\s\S]*?(?:```|$)/g, "\n").split(CLAUSE);
  return clauses.some((clause) => !OTHER_WORK.test(clause) && patterns.some((pattern) => pattern.test(clause)));
}

function failingPatterns({kind, names, isPartlyFixed}: FailingCheck): RegExp[] {
  const singular = kind === "test" && !isPartlyFixed ? ["test"] : [];
  const nameForms = names.filter((name) => name !== "test").map(escapeRegExp);
  const noun = `\\b(?:${[NOUNS[kind], ANY_CHECK, ...singular, ...nameForms].join("|")})\\b${PART}`;
  const words = (most: number) => `(?:\\W+\\w+){0,${most}}?\\W+`;
  return [
    `\\b(?:fix|repair|unbreak|resolve|correct|solve)\\b${words(4)}${noun}`,
    `\\b(?:make|get|turn|bring)\\b${words(3)}${noun}${words(3)}(?:pass|green|work|succeed)`,
    `${noun}${words(3)}(?:fail|broke|breaks?\\b|red\\b|crash|not (?:pass|work|run|compile|build))`,
    `\\b(?:failing|failed|broken|red)${words(2)}${noun}`,
  ].map((source) => new RegExp(source, "i"));
}

/** A single plain word, such as “works”, can be part of any sentence. */
const isDistinct = (name: string): boolean => name.length >= 5 && /\s|_|\d|[a-z][A-Z]/.test(name);

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${escapeRegExp(name)}(?!\\w)`, "i").test(text);
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
