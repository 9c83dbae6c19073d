/** What an agent's command line must be described by: mostly data, so that another agent is one more file. */
import type {TurnEnd, Usage} from "../../record/attempt.ts";

/** How the credentials of a model provider reach the agent. */
export interface Provider {
  /** any one of these variables is enough; the first is the one to name to a person */
  readonly keys: readonly [string, ...string[]];
  /** further variables that belong to it, such as an address or a region */
  readonly also?: readonly string[];
  /** folders of the home in which the provider's own tools keep what those variables name */
  readonly folders?: readonly string[];
}

/** What an agent has said so far in one turn. */
export interface Heard {
  readonly sessionId: string;
  /** `provider/model` */
  readonly model: string;
  /** the text of the last message */
  readonly answer: string;
  readonly stopReason: string;
  readonly errorMessage: string;
  readonly toolCalls: number;
  readonly usage: Usage;
}

/** Follows one turn's output. */
export interface Listener {
  /** Takes one line of stdout; gives a short line of progress for a person, or null. */
  line(text: string): string | null;
  heard(): Heard;
  end(): TurnEnd;
}

export interface AgentChoice {
  /** as the agent's command line knows it; empty: the agent's own default */
  readonly model: string;
  readonly provider: string;
  readonly thinking: string;
  /** put behind our own arguments, one entry per argument */
  readonly extraArguments: readonly string[];
}

export interface Adapter {
  readonly name: string;
  /** the pinned npm package, and the program in it */
  readonly package: {readonly name: string; readonly version: string; readonly bin: string};
  readonly providers: Readonly<Record<string, Provider>>;
  /** Arguments after the program's name. The prompt is not among them: it goes through stdin. */
  arguments(choice: AgentChoice, sessionFile: string): string[];
  /** Variables that steer the agent itself. */
  environment(configFolder: string): Record<string, string>;
  /** Providers that the files of a config folder give a key for, by file name and text. */
  configured(files: Readonly<Record<string, string>>): ReadonlySet<string>;
  /** The settings for a config folder of ours, which keep the named variables from the tools that the agent starts. */
  ownConfig(secrets: readonly string[]): {readonly file: string; readonly text: string};
  /** Names of the config folder's files that `configured` reads. */
  readonly configFiles: readonly string[];
  /** The text of a stored session made ready to go on in another folder. */
  resume(session: string, folder: string): string;
  listen(): Listener;
}
