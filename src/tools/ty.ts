/** ty and pyrefly. */

import {WRITES_REPORT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const ty: Tool = {
  name: "ty",
  output: {
    // Other programs print the same lines; only ty ends with this count.
    markers: [" diagnostic"],
    lines: [lineFormat("%f:%l:%c: %t<error|warning|info>[%n] %m")],
  },
};

export const newTypeCheckers: readonly ToolCommand[] = [
  {
    programs: ["ty"],
    traits: ["python package"],
    kinds: {typecheck: ["ty"]},
    readOnly: [{commands: ["ty check"], without: WRITES_REPORT}],
    unsafe: [{match: "ty check --add-ignore|--update-baseline"}],
  },
  {
    programs: ["pyrefly"],
    traits: ["python package"],
    kinds: {typecheck: ["pyrefly check"]},
    reads: {family: "python", commands: ["pyrefly check"]},
    readOnly: [{commands: ["pyrefly check"], without: WRITES_REPORT}],
  },
];
