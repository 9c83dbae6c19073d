/** One line of an event log: what happened when, as JSON with a version (`assay.event/1`). */
import {z} from "zod";
import type {RunEvent} from "./events.ts";
import type {RunRecord} from "./record.ts";
import {usageSchema} from "./usage.ts";
import {objectId} from "./verification.ts";
import {FAILURE_KINDS, STAGE_OUTCOMES, TURN_REASONS} from "./words.ts";

const count = z.number().int().min(0);
/** Every line has these. An incompatible change gets a new version number. New events and fields are compatible. */
const line = <Name extends string, Shape extends z.ZodRawShape>(event: Name, shape: Shape) =>
  z.object({schema: z.literal("assay.event/1"), at: z.string(), event: z.literal(event), ...shape});
const resultShape = {
  stage: z.string(),
  outcome: z.enum(STAGE_OUTCOMES),
  failureKind: z.enum(FAILURE_KINDS).nullable(),
  durationMs: z.number(),
  tests: z.object({passed: count, failed: count, skipped: count}).nullable(),
};

export const eventLineSchema = z.discriminatedUnion("event", [
  line("admitted", {by: z.string()}),
  line("planned", {stages: z.array(z.string()), maxAttempts: count.nullable()}),
  line("turn-started", {attempt: count, reason: z.enum(TURN_REASONS)}),
  /** a tool call of the agent; `usage` is the turn's so far */
  line("agent-acted", {action: z.string(), usage: usageSchema}),
  line("turn-finished", {
    attempt: count,
    end: z.string(),
    durationMs: z.number(),
    model: z.string(),
    usage: usageSchema,
  }),
  line("setup-started", {command: z.string()}),
  line("setup-finished", resultShape),
  line("stage-started", {stage: z.string(), index: count, of: count}),
  line("stage-finished", {...resultShape, index: count, of: count}),
  line("attempt-finished", {attempt: count, verdict: z.string(), tree: objectId.nullable(), changedPaths: count}),
  line("judge-started", {attempt: count}),
  line("judged", {attempt: count, opinion: z.string(), durationMs: z.number(), usage: usageSchema}),
  line("objections-exhausted", {opinions: count}),
  line("published", {publication: z.string(), ref: z.string().nullable(), commit: objectId.nullable()}),
  /** the last event; without it, the process was killed */
  line("finished", {verdict: z.string(), failures: z.array(z.string()), isGreen: z.boolean()}),
]);
export type EventLine = z.infer<typeof eventLineSchema>;
type WithoutOrigin<T> = T extends unknown ? Omit<T, "schema" | "at"> : never;
/** The fields of a line without its time. */
export type EventFacts = WithoutOrigin<EventLine>;

/** The facts of an event: short, and without prompts, answers and outputs, which the record has. */
export function eventFacts(event: RunEvent): EventFacts {
  switch (event.kind) {
    case "admitted":
      return {event: event.kind, by: event.by};
    case "planned":
      return {event: event.kind, stages: event.stages.map(({name}) => name), maxAttempts: event.maxAttempts ?? null};
    case "turn-started":
      return {event: event.kind, attempt: event.attempt, reason: event.reason};
    case "agent-acted":
      return {event: event.kind, action: event.line, usage: event.usage};
    case "turn-finished": {
      const {end, durationMs, model, usage} = event.turn;
      return {event: event.kind, attempt: event.attempt, end: end.kind, durationMs, model, usage};
    }
    case "setup-started":
      return {event: event.kind, command: event.command};
    case "setup-finished":
      return {event: event.kind, ...resultFacts(event.result)};
    case "stage-started":
      return {event: event.kind, stage: event.stage.name, index: event.index, of: event.of};
    case "stage-finished":
      return {event: event.kind, ...resultFacts(event.result), index: event.index, of: event.of};
    case "attempt-finished": {
      const {number, verdict, candidate, changes} = event.attempt;
      const [tree, changedPaths] = [candidate?.tree ?? null, changes.length];
      return {event: event.kind, attempt: number, verdict: verdict.kind, tree, changedPaths};
    }
    case "judge-started":
      return {event: event.kind, attempt: event.attempt};
    case "judged": {
      const {kind, durationMs, usage} = event.opinion;
      const opinion = event.opinion.kind === "judged" ? event.opinion.outcome : kind;
      return {event: event.kind, attempt: event.attempt, opinion, durationMs, usage};
    }
    case "objections-exhausted":
      return {event: event.kind, opinions: event.opinions};
    case "published": {
      const {publication} = event;
      const place = publication.kind === "none" ? null : publication;
      return {event: event.kind, publication: publication.kind, ref: place?.ref ?? null, commit: place?.commit ?? null};
    }
  }
}

type StageFinished = Extract<RunEvent, {kind: "stage-finished"}>["result"];

function resultFacts({name, outcome, failureKind, durationMs, tests}: StageFinished) {
  return {stage: name, outcome, failureKind, durationMs, tests};
}

/** The last line of a run. */
export function finishedFacts(record: Pick<RunRecord, "verdict" | "failures">, isGreen: boolean): EventFacts {
  const failures = record.failures.map(({kind}) => kind);
  return {event: "finished", verdict: record.verdict.kind, failures, isGreen};
}
