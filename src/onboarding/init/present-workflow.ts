/** Reads how an existing workflow of Assay was written, and which permissions another text of it adds. */
import {listOf, mapOf, textAt, valueAt} from "../../detect/files/manifest-values.ts";
import {parseYaml} from "../../detect/files/parse-yaml.ts";
import {DEFAULT_COMMANDS, DEFAULT_LABEL, DEFAULT_PHRASE} from "../../request/default-phrase.ts";
import {TRIGGERS} from "../../request/triggers.ts";
import {DEFAULT_PROVIDER, PROVIDERS, type WorkflowProvider} from "./providers.ts";

/** The options of `assay init` that a workflow shows. */
export interface WorkflowForm {
  readonly mode: "single" | "separated";
  readonly provider: WorkflowProvider;
  readonly shards: string;
  readonly attest: boolean;
  readonly trigger: string;
  readonly commands: string;
  readonly on: readonly string[];
}

/** Null for a text that does not call Assay, or uses a provider that `assay init` does not write. */
export function presentForm(text: string): WorkflowForm | null {
  const workflow = readYaml(text);
  const jobs = [...mapOf(valueAt(workflow, "jobs")).values()];
  const users = jobs.flatMap((job) => [job, ...listOf(valueAt(job, "steps"))]).filter(usesAssay);
  const settings = new Map(users.flatMap((user) => [...mapOf(valueAt(user, "with"))]));
  const setting = (name: string, otherwise: string) => String(settings.get(name) ?? otherwise);
  const provider = PROVIDERS.find((name) => name === setting("provider", DEFAULT_PROVIDER));
  if (users.length === 0 || provider === undefined) return null;
  const isSeparated = users.some((user) => textAt(user, "with", "job") === "work" || jobs.includes(user));
  const machines = jobs.flatMap((job) => listOf(valueAt(job, "strategy", "matrix", "shard")));
  const [branch] = listOf(valueAt(workflow, "on", "push", "branches"));
  const names = {
    label: `:${setting("label", DEFAULT_LABEL)}`,
    assignment: `:${setting("assignee", "")}`,
    schedule: `:${textAt(listOf(valueAt(workflow, "on", "schedule"))[0], "cron") ?? ""}`,
    ci: `:${JSON.stringify(listOf(valueAt(workflow, "on", "workflow_run", "workflows")))}`,
    update: `:${typeof branch === "string" ? branch : "**"}`,
  };
  const started = TRIGGERS.filter(({event, action}) => {
    const types = valueAt(workflow, "on", event, "types");
    return mapOf(valueAt(workflow, "on")).has(event) && (action === "" || listOf(types).includes(action));
  });
  return {
    mode: isSeparated ? "separated" : "single",
    provider,
    shards: String(Math.max(1, machines.length)),
    attest: settings.has("attest"),
    trigger: setting("trigger-phrase", DEFAULT_PHRASE),
    commands: setting("commands", DEFAULT_COMMANDS),
    on: [
      ...new Set(
        started
          .flatMap(({option}) => option ?? [])
          .map((word) => `${word}${new Map(Object.entries(names)).get(word) ?? ""}`),
      ),
    ],
  };
}

const usesAssay = (user: unknown): boolean =>
  /^[\w.-]+\/assay(?:\/\.github\/workflows\/separated\.yml)?@/.test(textAt(user, "uses") ?? "");

function readYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return null;
  }
}

export interface AddedPermission {
  readonly job: string;
  readonly scope: string;
  readonly level: string;
  /** what the job needs it for */
  readonly why: string;
}

const LEVELS = ["none", "read", "write"];

/**
 * The permissions of `after`, which Assay wrote with a reason behind each, that exceed those of the job in `before`. A
 * job that is new there exceeds those of all its jobs.
 */
export function addedPermissions(before: string, after: string): AddedPermission[] {
  const jobs = mapOf(valueAt(readYaml(before), "jobs"));
  const added: AddedPermission[] = [];
  let job = "";
  for (const line of after.split("\n")) {
    job = /^ {2}([\w-]+):$/.exec(line)?.[1] ?? job;
    const [, scope = "", level = "", why = ""] = /^ {4,}([a-z-]+): (read|write) # (.+)$/.exec(line) ?? [];
    const compared = jobs.has(job) ? [jobs.get(job)] : [...jobs.values()];
    const present = compared.map((one) => LEVELS.indexOf(textAt(one, "permissions", scope) ?? "none"));
    if (LEVELS.indexOf(level) > Math.max(...present)) added.push({job, scope, level, why});
  }
  return added;
}
