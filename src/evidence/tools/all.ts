/** The registry: every tool's rules, in the order in which they are tried. */

import {pytest} from "./pytest.ts";
import type {ToolRules} from "./rules.ts";
import {typescript} from "./typescript.ts";

export const TOOLS: readonly ToolRules[] = [typescript, pytest];
