/** middle: the gates of `.middle/verify.toml`, each a check of its own. */
import type {Note} from "../../record/plan.ts";
import {at, textAt} from "../data.ts";
import {type Ecosystem, NOTHING, type StageDraft} from "../ecosystem.ts";
import {kindOf, kindOfName} from "../kinds.ts";
import {toolsOf} from "../recipes.ts";
import {screen} from "../screen.ts";

const FILE = ".middle/verify.toml";
const MAX_GATES = 100;
/** seconds; what a runner gives a whole job */
const LONGEST = 6 * 3600;

export const middle: Ecosystem = {
  name: "middle",
  title: "middle",
  manifests: [FILE],
  where: "beside",
  detect({project, root}) {
    const gates = root === "." ? at(project.toml(FILE), "gate") : undefined;
    if (!Array.isArray(gates)) return NOTHING;
    const notes: Note[] = [];
    const stages = gates.slice(0, MAX_GATES).flatMap((gate: unknown): StageDraft[] => {
      const [name, command] = [textAt(gate, "name"), textAt(gate, "command")];
      if (name === null || command === null) return [];
      const found = screen(command);
      const safe = "instead" in found && found.instead !== undefined ? found.instead : command;
      // A gate that belongs to a phase of some plan is not what must always pass.
      if (Array.isArray(at(gate, "phases"))) {
        notes.push({about: `${FILE} ${name}`, text: "passed over: it belongs to certain phases only"});
        return [];
      }
      const seconds = at(gate, "timeout_seconds");
      const kind = kindOfName(name) ?? kindOf(safe) ?? "test";
      return [
        {
          kind: kind === "check" ? "test" : kind,
          command: safe,
          cwd: root,
          evidence: "named",
          tools: toolsOf(safe),
          origin: {
            file: FILE,
            key: name,
            why: `the gate \`${name}\` of middle${safe === command ? "" : ", as a check that rewrites nothing"}`,
          },
          optional: false,
          timeout: typeof seconds === "number" && seconds >= 1 ? Math.min(Math.ceil(seconds), LONGEST) : 300,
          label: name,
        },
      ];
    });
    return {stages, setup: [], notes};
  },
};
