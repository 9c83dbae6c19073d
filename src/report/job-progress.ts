/** The comment of a run in separate jobs while it is in progress: which job runs now, and which are over. */
import {type Marker, runMarker} from "../github/marker.ts";
import {duration, withCount} from "./format.ts";
import {link} from "./link.ts";

/** The job that starts now. `start`: the next edit comes only from the publishing job. */
export type ShownJob = "start" | "work" | "verify" | "publish";

const CURRENT_STEPS = {
  start: "The agent works, then the checks run on a clean machine",
  work: "The agent is working",
  verify: "Running the checks on a clean machine",
  publish: "Saving the result",
} satisfies Record<ShownJob, string>;

const STEPS = {
  work: "Job `work`: the agent works, and gets the failures of its checks back",
  verify: "Job `verify`: the checks run on a clean machine",
  publish: "Job `publish`: save the result",
} satisfies Record<Exclude<ShownJob, "start">, string>;

const ORDER = ["work", "verify", "publish"] as const;

/** Only the jobs without an agent, and without code of the repository, may write this. */
export function renderJobProgress(options: {
  job: ShownJob;
  hasAgent: boolean;
  stages: number;
  marker: Marker;
  /** the page of the run, or of the job */
  runUrl: string | null;
  /** since the start of the job, if known */
  elapsedMs?: number;
}): string {
  const {job, hasAgent, stages, marker, runUrl, elapsedMs} = options;
  const clock = elapsedMs === undefined ? "" : duration(elapsedMs);
  const firstLine = [`**${CURRENT_STEPS[job]}**`, clock, link("log", runUrl)].filter((part) => part !== "").join(" · ");
  const jobs = ORDER.filter((one) => one !== "work" || hasAgent);
  const at = job === "start" ? -1 : ORDER.indexOf(job);
  const lines = [
    `- [x] Read the request, and found ${withCount(stages, "check")}`,
    ...jobs.map((one) => `- [${ORDER.indexOf(one) < at ? "x" : " "}] ${STEPS[one]}`),
  ];
  return `${runMarker(marker)}\n⏳ ${firstLine}\n\n${lines.join("\n")}\n`;
}
