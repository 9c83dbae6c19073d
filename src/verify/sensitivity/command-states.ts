/** Counts a fault as noticed only if the command that failed with it passes in the same checkout afterwards. */
import type {FaultRun, TestCommand} from "./plan-runs.ts";

export interface CommandRun {
  readonly run: FaultRun;
  readonly command: TestCommand;
}

/** A command that failed with faults and has not passed since. */
export interface UnprovenCommand extends CommandRun {
  readonly faults: number;
}

export interface CommandStates {
  /** undefined if the command neither ran without a fault nor passed with one */
  passes(command: TestCommand): boolean | undefined;
  failWithFault(failed: CommandRun): void;
  /** With or without a fault: nothing that an earlier fault left makes the command fail. */
  pass(command: TestCommand): void;
  /** The faults that it failed with prove nothing. */
  failWithoutFault(command: TestCommand): void;
  unproven(): UnprovenCommand[];
  noticed(): number;
}

export function openCommandStates(): CommandStates {
  const passing = new Map<string, boolean>();
  const unproven = new Map<string, UnprovenCommand>();
  let noticed = 0;
  return {
    passes: ({key}) => passing.get(key),
    failWithFault({run, command}) {
      unproven.set(command.key, {run, command, faults: (unproven.get(command.key)?.faults ?? 0) + 1});
    },
    pass({key}) {
      passing.set(key, true);
      noticed += unproven.get(key)?.faults ?? 0;
      unproven.delete(key);
    },
    failWithoutFault({key}) {
      passing.set(key, false);
      unproven.delete(key);
    },
    unproven: () => [...unproven.values()],
    noticed: () => noticed,
  };
}
