/** fledge: the lane `verify`, a project's own list of what must pass. */
import {at, mapOf, textAt, textsOf} from "../data.ts";
import {type Ecosystem, NOTHING} from "../ecosystem.ts";
import {linesOf, type Task} from "../recipes.ts";
import {inside} from "../view.ts";

const MAX_STEPS = 100;

export const fledge: Ecosystem = {
  name: "fledge",
  title: "fledge",
  manifests: ["fledge.toml"],
  where: "beside",
  detect({project, root}) {
    const file = inside(root, "fledge.toml");
    const content = project.toml(file);
    const lane = at(content, "lanes", "verify");
    const steps = at(lane, "steps");
    if (!Array.isArray(steps)) {
      const lanes = [...mapOf(at(content, "lanes")).keys()];
      return lanes.length === 0
        ? NOTHING
        : {...NOTHING, notes: [{about: file, text: "it has lanes, but none is called `verify`"}]};
    }
    const tasks = new Map<string, Task>();
    for (const [name, task] of mapOf(at(content, "tasks")))
      tasks.set(name, {lines: lineOf(task), needs: textsOf(at(task, "deps"))});
    const runner = {
      name: "fledge",
      file,
      cwd: root,
      tools: [],
      start: (name: string) => `fledge run ${name}`,
      starts: /^fledge run ([\w:-]+)$/,
    };
    const runs = steps
      .slice(0, MAX_STEPS)
      .flatMap((step: unknown) => stepLines(step, (name) => linesOf(runner, tasks, name)));
    return {
      stages: [
        {
          kind: "check",
          command: "fledge lanes run verify --ni",
          cwd: root,
          evidence: "named",
          tools: [{name: "fledge", hint: "install fledge in a step before Assay: `cargo install fledge`"}],
          origin: {file, key: "verify", why: "the lane `verify` is the project's own list of what must pass"},
          claim: "everything",
          ...(runs.length === 0 ? {} : {runs}),
        },
      ],
      setup: [],
      notes: [],
    };
  },
};

const lineOf = (task: unknown): string[] => {
  const line = typeof task === "string" ? task : textAt(task, "cmd");
  return line === null ? [] : [line];
};

/** A step is a task's name, `{task}`, `{run}` or `{parallel: [...]}`. */
function stepLines(step: unknown, ofTask: (name: string) => string[]): string[] {
  const name = typeof step === "string" ? step : textAt(step, "task");
  if (name !== null) return ofTask(name);
  const line = textAt(step, "run");
  const parallel = at(step, "parallel");
  if (line !== null) return [line];
  return Array.isArray(parallel)
    ? parallel
        .slice(0, MAX_STEPS)
        .flatMap((one: unknown) => (Array.isArray(at(one, "parallel")) ? [] : stepLines(one, ofTask)))
    : [];
}
