/** The known spec formats. The first format that matches a file claims it. */
import {adr} from "./adr.ts";
import type {SpecFormat} from "./format.ts";
import {kiro} from "./kiro.ts";
import {openSpec} from "./openspec.ts";
import {specKit} from "./spec-kit.ts";
import {specSync} from "./spec-sync.ts";

export const FORMATS: readonly SpecFormat[] = [specSync, openSpec, specKit, kiro, adr];
