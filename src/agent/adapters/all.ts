/** The agents, in the order that messages and documents list them in. */

import type {AgentName} from "../../record/agent-names.ts";
import type {Adapter} from "./adapter.ts";
import {claude} from "./claude.ts";
import {codex} from "./codex.ts";
import {command} from "./command.ts";
import {copilot} from "./copilot.ts";
import {gemini} from "./gemini.ts";
import {opencode} from "./opencode.ts";
import {pi} from "./pi.ts";

export const ADAPTERS: Readonly<Record<AgentName, Adapter>> = {pi, claude, codex, gemini, opencode, copilot, command};
