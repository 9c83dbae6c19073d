/** Describes an agent's command line, mostly as data, so that another agent is one more file. */
import type {TurnEnd} from "../../record/attempt.ts";
import type {Usage} from "../../record/usage.ts";

/** How the credentials of a model provider reach the agent. */
interface Provider {
  /** any of these variables is enough; messages name the first */
  readonly keys: readonly [string, ...string[]];
  /** further variables of the provider, such as an address or a region */
  readonly also?: readonly string[];
  /** folders of the home in which the provider's own tools keep keys */
  readonly folders?: readonly string[];
}

/** The events of one turn so far. */
export interface Heard {
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
  /** Takes one line of stdout; returns a short progress line for a person, or null. */
  line(text: string): string | null;
  heard(): Heard;
  end(): TurnEnd;
}

export interface AgentChoice {
  /** the name for the agent's command line; empty means the agent's default */
  readonly model: string;
  readonly provider: string;
  readonly thinking: string;
  /** added after Assay's arguments, one entry per argument */
  readonly extraArguments: readonly string[];
}

export interface Adapter {
  readonly name: string;
  /** the pinned npm package, and the program in it */
  readonly package: {readonly name: string; readonly version: string; readonly bin: string};
  readonly providers: Readonly<Record<string, Provider>>;
  /** The arguments after the program's name. The prompt goes through stdin. */
  arguments(choice: AgentChoice, sessionFile: string): string[];
  /** Arguments with which the agent offers the model no tool and reads no file of its folder; absent if it cannot. */
  readonly withoutTools?: readonly string[];
  /** Variables that configure the agent. */
  environment(configFolder: string): Record<string, string>;
  /** Providers with a key in a configuration folder, given its texts by file name. */
  configured(files: Readonly<Record<string, string>>): ReadonlySet<string>;
  /** Settings for Assay's configuration folder, which hide the named variables from the tools that the agent starts. */
  ownConfig(secrets: readonly string[]): {readonly file: string; readonly text: string};
  /** The files of the configuration folder that `configured` reads. */
  readonly configFiles: readonly string[];
  /** Adapts the text of a stored session to another folder. */
  resume(session: string, folder: string): string;
  listen(): Listener;
}
