/** The comment of a run in progress: the current step with its clock, and a list of the finished and the next ones. */
import {type Marker, runMarker} from "../github/marker.ts";
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import {addUsage} from "../record/usage.ts";
import {cost, duration, joinWords, withCount} from "./format.ts";
import {link} from "./link.ts";
import type {AgentProgress, AttemptProgress, ProgressState, StageProgress} from "./progress-state.ts";

const MOST_STAGES = 30;
const MOST_FILES = 5;
/** Earlier attempts are one line each. */
const MOST_ATTEMPTS = 6;

/** Foreign text in it is inert. Redact the events first. */
export function renderLiveProgress(options: {
  state: ProgressState;
  nowMs: number;
  marker: Marker;
  runUrl: string | null;
}): string {
  const {state, nowMs, marker, runUrl} = options;
  const usage = addUsage(state.attempts.flatMap(({agent}) => (agent === null ? [] : [agent.usage])));
  const hasCost = usage.costUsd > 0 || usage.hasUnknownCost === true;
  const firstLine = [
    `**${currentStep(state)}**`,
    clock(nowMs - state.startedMs),
    hasCost ? cost(usage) : "",
    link("log", runUrl),
  ];
  const lines = [
    ...(state.plannedStages === null
      ? []
      : [doneItem(`Read the request, and found ${withCount(state.plannedStages, "check")}`)]),
    ...state.attempts.slice(-MOST_ATTEMPTS).flatMap((attempt) => attemptLines(state, attempt, nowMs)),
    ...(state.step === "judging" ? [open("A second model reads the change")] : []),
    open("Save the result"),
  ];
  return `${runMarker(marker)}\n⏳ ${firstLine.filter((part) => part !== "").join(" · ")}\n\n${lines.join("\n")}\n`;
}

const doneItem = (text: string): string => `- [x] ${text}`;
const open = (text: string): string => `- [ ] ${text}`;
/** Tenths would look more exact than a comment that is edited every 10 s. */
const clock = (ms: number): string => duration(Math.max(0, Math.round(ms / 1_000)) * 1_000).replace(".0 s", " s");

function currentStep(state: ProgressState): string {
  const lastAttempt = state.attempts.at(-1);
  switch (state.step) {
    case "preparing":
      return "Preparing the run";
    case "judging":
      return "A second model compares the change with the request";
    case "publishing":
      return "Saving the result";
    case "working": {
      if (lastAttempt === undefined) return "Preparing the run";
      const attempt = state.maxAttempts > 1 || lastAttempt.number > 1 ? `${attemptName(state, lastAttempt)}: ` : "";
      return `${attempt}${attempt === "" ? capitalize(currentAction(state, lastAttempt)) : currentAction(state, lastAttempt)}`;
    }
  }
}

/** After objections of the judge, or with a fresh session, there may be more attempts than planned. */
function attemptName({maxAttempts}: ProgressState, {number}: AttemptProgress): string {
  return number <= maxAttempts ? `Attempt ${number} of ${maxAttempts}` : `Attempt ${number}`;
}

function currentAction(state: ProgressState, {agent, stages, stageCount}: AttemptProgress): string {
  if (agent !== null && agent.durationMs === null) return agentWords(state, agent);
  if (state.installing !== "") return "installing dependencies";
  const finished = stages.filter(({durationMs}) => durationMs !== null).length;
  return stageCount === 0 ? "preparing the checks" : `${finished} of ${withCount(stageCount, "check")} finished`;
}

function agentWords({attempts}: ProgressState, {reason}: AgentProgress): string {
  if (reason === "objection") return "the agent answers the objections of a second model";
  if (reason === "held-out") return "the agent adds behavior that the request asks for";
  if (reason === "tests") return "the agent adds tests for faults that no test notices";
  const failed = attempts.at(-2)?.failed ?? [];
  const names = failed.slice(0, 5).map((name) => codeSpan(clip(name, 100)));
  return names.length === 0 ? "the agent is working" : `the agent is fixing ${joinWords(names)}`;
}

function attemptLines(state: ProgressState, attempt: AttemptProgress, nowMs: number): string[] {
  const {agent, stages, stageCount, failed} = attempt;
  const isCurrent = attempt === state.attempts.at(-1);
  const lines: string[] = [];
  if (agent !== null) lines.push(...agentLines(`Attempt ${attempt.number}: agent`, agent, nowMs));
  if (isCurrent && agent?.durationMs === null) return [...lines, ...installLine(state)];
  const hasChecks = stages.length > 0 || failed === null;
  if (!hasChecks) return lines;
  const name = agent === null ? "Checks" : `Attempt ${attempt.number}: checks`;
  const finished = stages.filter(({durationMs}) => durationMs !== null).length;
  if (failed === null) lines.push(open(`${name}${stageCount === 0 ? "" : `, ${finished} of ${stageCount}`}`));
  else lines.push(doneItem(`${name}${attempt.isVerified ? " passed" : failedWords(failed)}`));
  return isCurrent ? [...lines, ...installLine(state), ...stageLines(stages)] : lines;
}

function failedWords(failed: readonly string[]): string {
  const names = failed.slice(0, 5).map((name) => codeSpan(clip(name, 100)));
  return names.length === 0 ? " ended" : ` failed: ${joinWords(names)}`;
}

/** The install on the base runs next to the agent. */
const installLine = ({installing}: ProgressState): string[] =>
  installing === "" ? [] : [`  - ⏳ ${codeSpan(clip(installing, 150))}`];

function agentLines(name: string, agent: AgentProgress, nowMs: number): string[] {
  const {durationMs, startedMs, usage, files, action} = agent;
  const time = durationMs === null ? clock(nowMs - startedMs) : duration(durationMs);
  const hasCost = usage.costUsd > 0 || usage.hasUnknownCost === true;
  const facts = [
    name,
    time,
    hasCost ? cost(usage) : "",
    files.length === 0 ? "" : `${withCount(files.length, "file")} edited`,
  ];
  const line = facts.filter((part) => part !== "").join(" · ");
  if (durationMs !== null) return [doneItem(line)];
  const shownFiles = files.slice(-MOST_FILES).map((path) => codeSpan(clip(path, 100)));
  return [
    open(line),
    ...(action === "" ? [] : [`  - Now: ${codeSpan(clip(action, 150))}`]),
    ...(shownFiles.length === 0
      ? []
      : [`  - Edited${files.length > MOST_FILES ? " last" : ""}: ${shownFiles.join(", ")}`]),
  ];
}

function stageLines(stages: readonly StageProgress[]): string[] {
  const hiddenCount = stages.length - MOST_STAGES;
  const lines = stages.slice(-MOST_STAGES).map(({name, icon, result, durationMs}) => {
    const time = durationMs === null ? "" : ` · ${duration(durationMs)}`;
    const words = result === "" ? "" : `: ${inline(clip(result, 150))}`;
    return `  - ${icon} ${inline(clip(name, 100))}${words}${time}`;
  });
  return hiddenCount > 0 ? [`  - ${withCount(hiddenCount, "earlier check")} not shown`, ...lines] : lines;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
