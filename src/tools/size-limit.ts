/** size-limit: the limits for the size of what is built. */
import type {ToolIntegrity} from "./tool-integrity.ts";

export const sizeLimitIntegrity: ToolIntegrity = {};
