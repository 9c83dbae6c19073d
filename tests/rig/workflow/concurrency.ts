/** The concurrency groups of a repository: one member runs, and the others wait or are dropped, as GitHub documents it. */

/** https://docs.github.com/en/actions/how-tos/write-workflows/choose-when-workflows-run/control-workflow-concurrency */
// `queue: max` lets as many wait; the next one is dropped
const LONGEST_QUEUE = 100;

export interface Entrant {
  /** GitHub ignores its case */
  readonly group: string;
  /** `single`: a new entrant drops the waiting one. `max`: all wait in order */
  readonly queue: "single" | "max";
  /** `cancel-in-progress` */
  readonly cancelsRunning: boolean;
  /** called when a new entrant cancels this one while it runs */
  readonly cancel: () => void;
  /** aborted: this one does not wait any longer */
  readonly signal: AbortSignal;
  readonly onWait?: () => void;
}

export interface ConcurrencyGroups {
  /** Resolves when the entrant may run, with what it calls at its end; with null when it was dropped. */
  enter(entrant: Entrant): Promise<(() => void) | null>;
}

interface Member extends Entrant {
  readonly settle: (leave: (() => void) | null) => void;
}

interface Group {
  running: Member | null;
  waiting: Member[];
}

export function openConcurrencyGroups(): ConcurrencyGroups {
  const groups = new Map<string, Group>();

  function start(group: Group, member: Member): void {
    group.running = member;
    member.settle(() => {
      if (group.running !== member) return;
      group.running = null;
      const next = group.waiting.shift();
      if (next !== undefined) start(group, next);
    });
  }

  function drop(group: Group, member: Member): void {
    group.waiting = group.waiting.filter((one) => one !== member);
    member.settle(null);
  }

  return {
    enter: (entrant) =>
      new Promise((settle) => {
        if (entrant.queue === "max" && entrant.cancelsRunning) {
          throw new Error("GitHub refuses `queue: max` with `cancel-in-progress: true`");
        }
        const name = entrant.group.toLowerCase();
        const group = groups.get(name) ?? {running: null, waiting: []};
        groups.set(name, group);
        const member = {...entrant, settle};
        if (group.running === null) return start(group, member);
        if (entrant.queue === "single") for (const other of group.waiting) drop(group, other);
        if (group.waiting.length >= LONGEST_QUEUE) return settle(null);
        group.waiting.push(member);
        entrant.signal.addEventListener("abort", () => drop(group, member));
        entrant.onWait?.();
        if (entrant.cancelsRunning) group.running.cancel();
      }),
  };
}
