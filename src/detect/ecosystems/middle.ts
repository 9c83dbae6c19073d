/** middle: the gates of `.middle/verify.toml`, each a separate check. */
import type {NotRun} from "../../record/plan.ts";
import {kindOf, kindOfName} from "../../shell/stage-kind.ts";
import {textAt, valueAt} from "../files/manifest-values.ts";
import {
  type CandidateStage,
  type Ecosystem,
  EMPTY_PROPOSAL,
  type ProjectFolder,
  type Proposal,
} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {requiredTools} from "../proposals/task-runners.ts";

const FILE = ".middle/verify.toml";
const MAX_GATES = 100;
/** seconds; the limit of a runner for a whole job */
const LONGEST = 6 * 3600;

export const middle: Ecosystem = {name: "middle", title: "middle", manifests: [FILE], where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const content = root === "." ? project.toml(FILE) : undefined;
  if (content === undefined) return EMPTY_PROPOSAL;
  const gates = valueAt(content, "gate");
  if (!Array.isArray(gates) || gates.length === 0) {
    const fix = "add a `[[gate]]` with `name` and `command`, or name your commands in verify.json";
    return {...EMPTY_PROPOSAL, notRun: [{about: FILE, why: "it has no gate", fix}]};
  }
  const notRun: NotRun[] = [];
  if (gates.length > MAX_GATES) {
    const fix = "join some of them, or name your commands in verify.json";
    notRun.push({about: FILE, why: `only the first ${MAX_GATES} of ${gates.length} gates are read`, fix});
  }
  const stages = gates.slice(0, MAX_GATES).flatMap((gate: unknown, index): CandidateStage[] => {
    const [name = `gate ${index + 1}`, command] = [textAt(gate, "name") ?? undefined, textAt(gate, "command")];
    if (command === null || command.trim() === "") {
      notRun.push({about: `${FILE} ${name}`, why: "the gate has no command", fix: "add `command` to the gate"});
      return [];
    }
    const result = screen(command);
    const safe = "instead" in result && result.instead !== undefined ? result.instead : command;
    // A gate for certain phases is not required for every change.
    if (Array.isArray(valueAt(gate, "phases"))) {
      const fix = "remove `phases` from the gate, or add a stage with its command to verify.json";
      notRun.push({about: `${FILE} ${name}`, why: "the gate belongs to certain phases only", fix});
      return [];
    }
    const seconds = valueAt(gate, "timeout_seconds");
    const kind = kindOfName(name) ?? kindOf(safe) ?? "test";
    return [
      {
        kind: kind === "check" ? "test" : kind,
        command: safe,
        cwd: root,
        evidence: "named",
        tools: requiredTools(safe),
        origin: {
          file: FILE,
          key: textAt(gate, "name") ?? FILE,
          why: `the gate \`${name}\` of middle${safe === command ? "" : ", as a check that rewrites nothing"}`,
        },
        optional: false,
        timeout: typeof seconds === "number" && seconds >= 1 ? Math.min(Math.ceil(seconds), LONGEST) : 300,
        label: name,
      },
    ];
  });
  return {stages, setup: [], notes: [], notRun};
}
