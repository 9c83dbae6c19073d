/** `assay hook`: answers the stop hook of a coding agent, so that failures the agent can fix go back to it. */
import {readFileSync} from "node:fs";
import type {HookAgent} from "../../record/agent-names.ts";
import {gitTop} from "../git-top.ts";
import {useTerminalPrograms} from "../terminal-programs.ts";
import {HOOK_FORMATS, type HookDecision, type StopRequest} from "./formats.ts";
import {readState, writeState} from "./state.ts";
import {readWork, type Work} from "./work.ts";

interface HookOptions {
  readonly agent: HookAgent;
  readonly base?: string;
  /** seconds */
  readonly timeout?: number;
}

/** Less than the limit in the settings that `assay init --agent` writes. */
const DEFAULT_SECONDS = 570;
/** After this many blocks in a row the agent may stop, because it makes no progress. */
const MAX_BLOCKS = 3;
const ALLOW: HookDecision = {kind: "allow", note: ""};

/** Always exit 0: the answer is on stdout. An error of Assay never blocks an agent. */
export async function hookCommand(options: HookOptions): Promise<number> {
  useTerminalPrograms();
  const format = HOOK_FORMATS[options.agent];
  const decision = await decide(format.read(readInput()), options).catch((error: unknown): HookDecision => {
    process.stderr.write(`assay hook: ${error instanceof Error ? error.message : String(error)}\n`);
    return ALLOW;
  });
  const answer = format.answer(decision);
  // Cursor and Copilot have no field for the user; they show stderr in the log of their hooks.
  if (decision.kind === "allow" && decision.note !== "" && Object.keys(answer).length === 0)
    process.stderr.write(`${decision.note}\n`);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  return 0;
}

function readInput(): unknown {
  try {
    return JSON.parse(readFileSync(0, "utf8"));
  } catch {
    return null;
  }
}

async function decide(request: StopRequest | null, options: HookOptions): Promise<HookDecision> {
  if (request === null) return ALLOW;
  const folder = gitTop(request.folder || process.cwd());
  // With a prefix, no id is the name of a property that every object has.
  const session = request.session === "" ? "" : `session ${request.session}`;
  const work = folder === null ? null : await readWork({folder, base: options.base, session});
  if (folder === null || work === null || work.isUnchanged) return ALLOW;
  const state = await readState(work.stateFile);
  if (work.key !== null && work.key === state.verified) return ALLOW;
  const blocks = request.isFirstStop === true ? 0 : (state.blocks[session] ?? 0);
  if (blocks >= MAX_BLOCKS) {
    const count = `${MAX_BLOCKS} attempts to fix it`;
    return {
      kind: "allow",
      note: `Assay: failing at the last check, and not checked again after ${count}. Run \`assay verify\`.`,
    };
  }
  const {runVerification} = await import("./run-verification.ts");
  const {decideStop} = await import("./decide.ts");
  const {code, output} = await runVerification({
    folder,
    base: work.base,
    seconds: options.timeout ?? DEFAULT_SECONDS,
  });
  const decision = decideStop(output);
  await saveOutcome(work, {session, isVerified: code === 0, blocks, decision});
  return decision;
}

/** The work may have changed meanwhile, but its key was computed before the verification began. */
async function saveOutcome(
  work: Work,
  seen: {session: string; isVerified: boolean; blocks: number; decision: HookDecision},
): Promise<void> {
  const state = await readState(work.stateFile);
  const {[seen.session]: _, ...others} = state.blocks;
  const isBlocked = seen.decision.kind === "block";
  await writeState(work.stateFile, {
    ...state,
    verified: seen.isVerified ? work.key : state.verified,
    blocks: isBlocked ? {...others, [seen.session]: seen.blocks + 1} : others,
  });
}
