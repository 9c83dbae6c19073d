/** Counts a fault as noticed only if the tests that failed with it pass in the same checkout without it. */
import type {FailedTests} from "../../diagnostics/failed-tests.ts";
import type {FaultRun, TestCommand} from "./plan-runs.ts";

export interface CommandRun {
  readonly run: FaultRun;
  readonly command: TestCommand;
}

/** A command that failed with faults and has not passed since. */
export interface UnprovenCommand extends CommandRun {
  readonly faults: number;
  /** all tests that failed with these faults; null if some of them are unknown */
  readonly failed: FailedTests | null;
}

export interface CommandStates {
  /** undefined if neither the command nor its failed tests ran without a fault, and it did not pass with one */
  passes(command: TestCommand): boolean | undefined;
  failWithFault(failed: Omit<UnprovenCommand, "faults">): UnprovenCommand;
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
    failWithFault({run, command, failed}) {
      const before = unproven.get(command.key);
      const all = before === undefined ? failed : joined(before.failed, failed);
      const state = {run, command, faults: (before?.faults ?? 0) + 1, failed: all};
      unproven.set(command.key, state);
      return state;
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

function joined(one: FailedTests | null, other: FailedTests | null): FailedTests | null {
  if (one === null || other === null || one.tool !== other.tool) return null;
  const tests = new Map([...one.tests, ...other.tests].map((test) => [JSON.stringify([test.file, test.name]), test]));
  return {...one, tests: [...tests.values()]};
}
