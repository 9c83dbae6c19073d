/** A run as spans of OpenTelemetry: one for the run and one for each check of its attempts. */
import {createHash} from "node:crypto";
import type {RunRecord} from "../record/record.ts";
import type {STAGE_OUTCOMES} from "../record/words.ts";
import {isVerified} from "../record/words.ts";
import {runUsage} from "./run-details.ts";
import {timedSections} from "./timeline.ts";

/** https://github.com/open-telemetry/opentelemetry-proto: `Span.SpanKind`, `Status.StatusCode` */
const INTERNAL = 1;
const STATUS = {unset: 0, ok: 1, error: 2} as const;
const STATUS_OF: Readonly<Record<(typeof STAGE_OUTCOMES)[number], keyof typeof STATUS>> = {
  ...{passed: "ok", failed: "error", "timed-out": "error", flaky: "unset", unavailable: "unset", skipped: "unset"},
};

/**
 * The body of a request in OTLP/JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids are
 * hexadecimal, times are decimal texts, enumerations are numbers. Commands, outputs and answers are not in it. A check's
 * duration is measured; its start assumes that turns and verifications followed one another without a pause. Redact the
 * record first.
 */
export function telemetryOf(record: RunRecord): object {
  const {run, verdict, thread, attempts, request} = record;
  const startMs = Date.parse(run.startedAt);
  const traceId = hexOf(`${thread?.repository} ${run.id} ${run.startedAt}`, 32);
  const span = (options: {
    name: string;
    fromMs: number;
    toMs: number;
    status: keyof typeof STATUS;
    parent?: string;
    attributes: Readonly<Record<string, string | number>>;
  }) => ({
    ...{traceId, spanId: hexOf(`${traceId} ${options.parent ?? ""} ${options.name} ${options.fromMs}`, 16)},
    ...(options.parent !== undefined && {parentSpanId: options.parent}),
    ...{name: options.name, kind: INTERNAL, status: {code: STATUS[options.status]}},
    ...{startTimeUnixNano: nanosOf(options.fromMs), endTimeUnixNano: nanosOf(options.toMs)},
    attributes: attributesOf(options.attributes),
  });
  const root = span({
    ...{name: `assay ${request?.kind ?? "run"}`, fromMs: startMs, toMs: Date.parse(run.finishedAt ?? run.startedAt)},
    status: isVerified(verdict) ? "ok" : verdict.kind === "failed" || verdict.kind === "tampered" ? "error" : "unset",
    attributes: {
      ...{"assay.run": run.id, "assay.verdict": verdict.kind, "assay.attempts": attempts.length},
      ...{
        "assay.repository": thread?.repository ?? "",
        "assay.thread": thread?.number ?? 0,
        "assay.url": run.url ?? "",
      },
      "assay.cost_usd": runUsage(record)?.costUsd ?? 0,
    },
  });
  const checks = timedSections(record).flatMap(({title, bars}) =>
    bars.flatMap(({name, outcome, startMs: offsetMs, durationMs}) => {
      const fromMs = startMs + offsetMs;
      const times = {fromMs, toMs: fromMs + durationMs, parent: root.spanId};
      const attributes = {"assay.attempt": title, "assay.outcome": outcome ?? ""};
      return outcome === null ? [] : [span({name, ...times, status: STATUS_OF[outcome], attributes})];
    }),
  );
  const service = {"service.name": "assay", "service.version": run.assay};
  const scopeSpans = [{scope: {name: "assay", version: run.assay}, spans: [root, ...checks]}];
  return {resourceSpans: [{resource: {attributes: attributesOf(service)}, scopeSpans}]};
}

const hexOf = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

const nanosOf = (ms: number): string => `${Math.round(ms)}000000`;

/** A whole number is a decimal text. */
function attributesOf(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => {
    if (typeof value === "string") return {key, value: {stringValue: value}};
    return {key, value: Number.isInteger(value) ? {intValue: String(value)} : {doubleValue: value}};
  });
}
