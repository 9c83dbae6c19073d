/** The state of a run in progress, derived from its events: pure, and kept small enough for a comment. */
import type {RunEvent} from "../record/events.ts";
import type {StageResult} from "../record/evidence.ts";
import {NO_USAGE, type Usage} from "../record/usage.ts";
import type {TurnReason} from "../record/words.ts";
import {stageResultWords} from "./stages.ts";

/** The agent's actions in the current turn. */
export interface AgentProgress {
  readonly startedMs: number;
  /** null while it works */
  readonly durationMs: number | null;
  /** the last tool call; foreign text */
  readonly action: string;
  /** files that it wrote; foreign text */
  readonly files: readonly string[];
  readonly usage: Usage;
  readonly reason: TurnReason;
}

/** One stage; everything except the icon is foreign text. */
export interface StageProgress {
  readonly name: string;
  readonly icon: string;
  readonly result: string;
  /** null while it runs */
  readonly durationMs: number | null;
}

export interface AttemptProgress {
  readonly number: number;
  /** null without an agent, and when a moved branch is verified again */
  readonly agent: AgentProgress | null;
  readonly stages: readonly StageProgress[];
  readonly stageCount: number;
  /** stages that failed; null while the attempt is running */
  readonly failed: readonly string[] | null;
  readonly isVerified: boolean;
}

export interface ProgressState {
  readonly startedMs: number;
  /** null until the plan is known */
  readonly plannedStages: number | null;
  /** 0: no agent */
  readonly maxAttempts: number;
  readonly attempts: readonly AttemptProgress[];
  /** the install command that runs; foreign text */
  readonly installing: string;
  readonly step: "preparing" | "working" | "judging" | "publishing";
}

/** Files and stages that are remembered; the comment shows fewer. */
const MOST_FILES = 200;

export const startProgress = (startedMs: number): ProgressState => ({
  startedMs,
  plannedStages: null,
  maxAttempts: 0,
  attempts: [],
  installing: "",
  step: "preparing",
});

/** The state after an event. */
export function advance(state: ProgressState, event: RunEvent, nowMs: number): ProgressState {
  switch (event.kind) {
    case "planned":
      return {...state, plannedStages: event.stages.length, maxAttempts: event.maxAttempts ?? 0};
    case "turn-started":
      return withAttempts(state, [...state.attempts, newAttempt(event.attempt, startTurn(nowMs, event.reason))]);
    case "agent-acted":
      return changeLastAttempt(state, (attempt) => ({...attempt, agent: act(attempt.agent, event)}));
    case "turn-finished": {
      const {durationMs, usage} = event.turn;
      return changeLastAttempt(state, ({agent, ...attempt}) => ({
        ...attempt,
        agent: agent && {...agent, durationMs, usage},
      }));
    }
    case "setup-started":
      return {...state, installing: event.command};
    case "setup-finished":
      return {...state, installing: ""};
    case "stage-started": {
      const row = {name: event.stage.name, icon: "⏳", result: "", durationMs: null};
      return updateOpenAttempt(state, (attempt) => ({...withStage(attempt, row), stageCount: event.of}));
    }
    case "stage-finished":
      return updateOpenAttempt(state, (attempt) => ({
        ...withStage(attempt, rowOf(event.result)),
        stageCount: event.of,
      }));
    case "attempt-finished": {
      const {verdict} = event.attempt;
      const failed = verdict.kind === "failed" ? verdict.stages : [];
      const isVerified = verdict.kind.startsWith("verified");
      const endedState = updateOpenAttempt(state, (attempt) => ({...attempt, failed, isVerified}));
      return {...endedState, installing: "", step: "publishing"};
    }
    case "judge-started":
      return {...state, step: "judging"};
    case "judged":
      return {...state, step: "publishing"};
    default:
      return state;
  }
}

const newAttempt = (number: number, agent: AgentProgress | null): AttemptProgress => ({
  number,
  agent,
  stages: [],
  stageCount: 0,
  failed: null,
  isVerified: false,
});

const startTurn = (startedMs: number, reason: TurnReason): AgentProgress => ({
  startedMs,
  durationMs: null,
  action: "",
  files: [],
  usage: NO_USAGE,
  reason,
});

const withAttempts = (state: ProgressState, attempts: readonly AttemptProgress[]): ProgressState => ({
  ...state,
  attempts,
  step: "working",
});

type ChangeAttempt = (attempt: AttemptProgress) => AttemptProgress;

const changeLastAttempt = (state: ProgressState, change: ChangeAttempt): ProgressState => ({
  ...state,
  attempts: state.attempts.map((attempt, at) => (at === state.attempts.length - 1 ? change(attempt) : attempt)),
});

/** Stages that no turn precedes: `/verify`, or a branch that moved after the last attempt. */
function updateOpenAttempt(state: ProgressState, change: ChangeAttempt): ProgressState {
  const lastAttempt = state.attempts.at(-1);
  const isOpen = lastAttempt !== undefined && lastAttempt.failed === null;
  const attempts = isOpen ? state.attempts : [...state.attempts, newAttempt((lastAttempt?.number ?? 0) + 1, null)];
  return changeLastAttempt(withAttempts(state, attempts), change);
}

/** A stage that is rerun has one row. */
function withStage(attempt: AttemptProgress, row: StageProgress): AttemptProgress {
  const {stages} = attempt;
  const isKnown = stages.some(({name}) => name === row.name);
  return {...attempt, stages: isKnown ? stages.map((one) => (one.name === row.name ? row : one)) : [...stages, row]};
}

function rowOf(result: StageResult): StageProgress {
  const {icon, result: words} = stageResultWords(result);
  return {name: result.name, icon, result: words, durationMs: result.durationMs};
}

/** Tools that write a file, in the agents' own names. */
const WRITING_TOOLS = /^(?:write|edit|multi_?edit|create|replace|str_replace|apply_patch|patch)\w*$/i;

function act(agent: AgentProgress | null, {line, usage}: {line: string; usage: Usage}): AgentProgress | null {
  if (agent === null) return null;
  const [tool = "", ...words] = line.split(" ");
  const file = words.join(" ");
  const isNew =
    WRITING_TOOLS.test(tool) && file !== "" && !agent.files.includes(file) && agent.files.length < MOST_FILES;
  return {...agent, action: line, usage, files: isNew ? [...agent.files, file] : agent.files};
}
