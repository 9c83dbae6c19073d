/** The worker thread of the integrity checks, so that hostile text cannot block the event loop of the stages. */
import {parentPort, workerData} from "node:worker_threads";
import type {IntegrityRules} from "../detect/config/config.ts";
import type {InspectedChange} from "./source/inspected-change.ts";

/** The thread's input. The name of its key distinguishes it from threads that others start with this file. */
export interface InspectionData {
  readonly inspection: {readonly change: InspectedChange; readonly rules: IntegrityRules};
}

/** This file, for the thread that starts it. */
export const WORKER_FILE = new URL(import.meta.url);

const data: Partial<InspectionData> | null = workerData;
if (data?.inspection !== undefined) {
  const {inspectChange} = await import("./inspect.ts");
  const {loadParsers} = await import("./load-parsers.ts");
  const {change, rules} = data.inspection;
  await loadParsers(change);
  parentPort?.postMessage(inspectChange(change, rules));
}
