/** The known spec formats, in the order that they claim a file in. */
import {adr} from "./adr.ts";
import type {SpecFormat} from "./format.ts";
import {kiro} from "./kiro.ts";
import {openSpec} from "./openspec.ts";
import {specKit} from "./spec-kit.ts";
import {specSync} from "./spec-sync.ts";

export const FORMATS: readonly SpecFormat[] = [specSync, openSpec, specKit, kiro, adr];
