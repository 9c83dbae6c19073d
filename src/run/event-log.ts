/** Writes the events of a run to the workflow's log, one line each. */
import type {OnEvent, RunEvent} from "../record/events.ts";
import type {StageResult} from "../record/evidence.ts";
import type {TurnReason} from "../record/words.ts";
import {cost, duration, withCount} from "../report/format.ts";
import {opinionLine} from "../report/opinion.ts";
import {stageResultWords} from "../report/stages.ts";

/** A listener that writes through `log`, which makes foreign text harmless. */
export function logEvents(log: (line: string) => void): OnEvent {
  return (event) => {
    const line = eventLine(event);
    if (line !== null) log(line);
  };
}

const RETURNED: Readonly<Record<Exclude<TurnReason, "task">, string>> = {
  failure: "results of the checks",
  objection: "objections",
  tests: "faults that no test notices",
  "held-out": "parts of the request that are not met",
};

/** The log line of an event; null if it needs none. */
export function eventLine(event: RunEvent): string | null {
  switch (event.kind) {
    case "admitted":
      return `💬 ${event.by}: ${firstLine(event.text)}`;
    case "planned":
      return `📋 ${withCount(event.stages.length, "check")}: ${event.stages.map((stage) => stage.name).join(", ") || "none"}`;
    case "turn-started":
      return event.reason === "task"
        ? `🤖 ${event.ofTry ? `Try ${event.ofTry.number} of ${event.ofTry.of}: the` : "The"} agent starts.`
        : `🤖 Attempt ${event.attempt}: the ${RETURNED[event.reason]} go back to the agent.`;
    case "agent-acted":
      return event.line;
    case "turn-finished": {
      const {end, usage, durationMs} = event.turn;
      return `🤖 Turn ${event.attempt}: ${end.kind} after ${duration(durationMs)}, ${cost(usage)}`;
    }
    case "setup-started":
      return `📦 ${event.command}`;
    case "setup-finished":
      return resultLine(event.result);
    case "stage-started":
      return null;
    case "stage-finished":
      return resultLine(event.result);
    case "attempt-finished":
      return `⚖️ Attempt ${event.attempt.number}: ${event.attempt.verdict.kind}`;
    case "judge-started":
      return `🧭 A second model compares attempt ${event.attempt} with the request.`;
    case "judged":
      return `🧭 Second opinion: ${opinionLine(event.opinion)}, ${cost(event.opinion.usage)}`;
    case "objections-exhausted":
      return `🧭 The second model still objects after ${withCount(event.opinions, "opinion")}.`;
    case "published":
      return "ref" in event.publication ? `📌 ${event.publication.kind}: ${event.publication.ref}` : null;
  }
}

function resultLine(result: StageResult): string {
  const {icon, result: words} = stageResultWords(result);
  const remark = words === "passed" ? "" : ` – ${firstLine(words)}`;
  return `${icon} ${result.name} (${result.narrowed ?? result.command}) ${duration(result.durationMs)}${remark}`;
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
