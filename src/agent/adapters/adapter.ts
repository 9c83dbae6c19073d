/** Describes an agent's command line, mostly as data, so that another agent is one more file. */
import type {TurnEnd} from "../../record/attempt.ts";
import type {Usage} from "../../record/usage.ts";

/** Describes how the agent can reach a provider through Assay's key proxy. */
interface ProxiedProvider {
  /** the provider's own address; absent if only a variable names one */
  readonly address?: string;
  /**
   * variables that override the address; the first that is set wins; the agent gets the proxy's address in all of them
   */
  readonly variables?: readonly string[];
  /** those `keys` that the agent changes before it sends them, or sends to another address */
  readonly except?: readonly string[];
}

/** Describes how the credentials of a model provider reach the agent. */
interface Provider {
  /** any of these variables is enough; messages name the first */
  readonly keys: readonly [string, ...string[]];
  /** further variables of the provider, such as an address or a region */
  readonly also?: readonly string[];
  /** folders of the home where the provider's own tools keep keys */
  readonly folders?: readonly string[];
  /** absent if the agent's address for the provider cannot be set */
  readonly proxied?: ProxiedProvider;
}

/** The state of a turn, from its events so far. */
export interface TurnState {
  /** `provider/model` */
  readonly model: string;
  /** the text of the last message */
  readonly answer: string;
  readonly stopReason: string;
  readonly errorMessage: string;
  readonly toolCalls: number;
  readonly usage: Usage;
  /** the agent's name for the conversation; empty if it gives none */
  readonly conversation: string;
}

/** Follows one turn's output. */
export interface Listener {
  /** Processes one line of stdout. Returns a short progress line for a person, or null. */
  line(text: string): string | null;
  state(): TurnState;
  end(): TurnEnd;
}

export interface AgentChoice {
  /** the name for the agent's command line; empty means the agent's default */
  readonly model: string;
  readonly provider: string;
  readonly thinking: string;
  /** added after Assay's arguments, one entry per argument */
  readonly extraArguments: readonly string[];
  /** the owner's configuration folder for the agent */
  readonly configFolder?: string;
}

/** The pinned npm package of an agent. */
interface AgentPackage {
  readonly name: string;
  readonly version: string;
  /** the name of its program */
  readonly bin: string;
  /**
   * Files below `node_modules` to start instead of `bin`, which only works after install scripts: the first that
   * exists.
   */
  readonly entries?: readonly string[];
}

/** The conversation of the turn that starts now. */
interface CurrentConversation {
  /** Assay's file with the text */
  readonly file: string;
  /** the agent's name for the conversation; null starts a new one */
  readonly id: string | null;
}

/**
 * Describes how Assay reads the text of a conversation from an agent, and restores it for the agent on another machine.
 */
export type ConversationStore =
  /** The agent reads and writes the file that its arguments name. `resume` adapts a stored text to another folder. */
  | {readonly kind: "file"; resume(text: string, folder: string): string}
  /** The agent has a file for each conversation in its configuration folder. */
  | {
      readonly kind: "folder";
      /** the folder of all conversations in the configuration folder; nothing in it configures the agent */
      readonly root: string;
      /**
       * the id in a stored text, and where the text must be in the configuration folder; null if the text is unusable
       */
      place(text: string, folder: string): {readonly id: string; readonly path: string | null} | null;
      /** matches the path of a conversation in the configuration folder */
      pattern(id: string): RegExp;
    }
  /** Commands of the agent read and write its database. */
  | {
      readonly kind: "commands";
      /** the id in a stored text, and the text for another folder; null if the text is unusable */
      adapt(text: string, folder: string): {readonly id: string; readonly text: string} | null;
      load(file: string): string[];
      /** prints the text */
      save(id: string): string[];
    }
  /** The agent stores no conversation. Assay records prompts and answers, and puts them before the next prompt. */
  | {readonly kind: "transcript"};

/** Files that remove secret variables from the commands of agents that pass their whole environment to their tools. */
export interface HideFiles {
  /** for `BASH_ENV` */
  readonly script: string;
  /** a program that runs its first argument as a shell line */
  readonly prefix: string;
}

export interface Adapter {
  readonly name: string;
  /** null: the owner names the program in `agent-args` */
  readonly package: AgentPackage | null;
  /** the variables that hold each model provider's key */
  readonly providers: Readonly<Record<string, Provider>>;
  /** true if the agent reads `.env` of its working folder, which sets only variables that are not set yet */
  readonly readsDotenv?: true;
  /** true if the agent can work without a key in a variable */
  readonly needsNoKey?: true;
  /** The arguments after the program's name. The prompt goes through stdin. */
  arguments(choice: AgentChoice, conversation: CurrentConversation): string[];
  /** Arguments that make the agent offer the model no tool and read no file of its folder; absent if it cannot. */
  readonly withoutTools?: readonly string[];
  /** Variables that configure the agent. */
  environment(configFolder: string, hide: HideFiles): Record<string, string>;
  /** Providers with a key in a configuration folder, given its texts by file name. */
  configured(files: Readonly<Record<string, string>>): ReadonlySet<string>;
  /**
   * The settings in Assay's own configuration folder. They hide the named variables from the tools that the agent
   * starts.
   */
  ownConfig(settings: {
    readonly secrets: readonly string[];
    readonly provider: string;
    /** where the agent must reach the provider; empty for the provider's own address */
    readonly address: string;
  }): readonly {readonly file: string; readonly text: string}[];
  /** The files of the configuration folder that `configured` reads. */
  readonly configFiles: readonly string[];
  readonly conversation: ConversationStore;
  /** Starts to follow a turn. `earlier` is the text of the conversation before this turn; empty for a new one. */
  listen(choice: Pick<AgentChoice, "model" | "provider">, earlier: string): Listener;
}
