/** One thread in which people ask and talk at random moments, with real admission, settling and concurrency, and no work in between. */
import {readFileSync} from "node:fs";
import {mkdtemp, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {admit} from "../../lifecycle/1-admit.ts";
import {settle} from "../../lifecycle/4-settle.ts";
import {readMarker} from "../../src/github/marker.ts";
import {isProgress} from "../../src/report/live.ts";
import type {AdmittedRun} from "../../src/run/admitted-run.ts";
import {openRunContext} from "../../src/run/run-context.ts";
import {BOT} from "../rig/github/people.ts";
import {isObject, type Json, numberAt, textAt} from "../rig/json.ts";
import {PRODUCT} from "../rig/runner.ts";
import {composite} from "../rig/separated.ts";
import {openConcurrencyGroups} from "../rig/workflow/concurrency.ts";
import type {Rules} from "../rig/workflow/rules.ts";
import {type Step, type StepEnd, walkWorkflow} from "../rig/workflow.ts";
import type {Rig} from "../rig/world.ts";
import {shuffled} from "./random.ts";

/**
 * The client spaces its writes by a second, in all runs of a process together; here nobody has to be spared. Shorter timers stay:
 * fetch counts its own time limits with them.
 */
const LONG_MS = 600;
const {setTimeout: realTimeout} = globalThis;
Object.assign(globalThis, {
  setTimeout: Object.assign(
    (action: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      realTimeout(action, ms > LONG_MS ? 0 : ms, ...args),
    realTimeout,
  ),
});

const REQUESTS = [
  "/assay multiply",
  "/verify",
  "@assay please fix it",
  "/continue",
  "/VERIFY test",
  "/help",
  "/status",
];
const CHAT = [
  "thanks!",
  "see https://example.com/assay",
  "and/or",
  "> /assay multiply",
  "please /verify this",
  "a\n/verify",
];

interface Line {
  readonly by: string;
  readonly body: string;
  /** whether it is one of those that must be answered, once */
  readonly isRequest: boolean;
  /** whether it may start a machine */
  readonly isCommand: boolean;
}

/** Plays one thread and gives what was wrong. */
export async function playThread(options: {
  rig: Rig;
  /** the workflow file */
  text: string;
  random: () => number;
  rules?: Partial<Rules>;
  /** the workflow has no condition, so every comment starts a machine */
  startsAlways?: boolean;
}): Promise<string[]> {
  const {rig, text, random, startsAlways = false} = options;
  const issue = await rig.openIssue({title: "Products"});
  const comments = `/repos/${rig.origin.name}/issues/${issue}/comments`;
  const some = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const lines: Line[] = shuffled(
    [
      ...[1, 2, 3].map(() => ({by: "will", body: some(REQUESTS), isRequest: true, isCommand: true})),
      ...[1, 2, 3, 4, 5].map(() => ({by: some(["otto", "ada"]), body: some(CHAT), isRequest: false, isCommand: false})),
      // a stranger's command takes a place too, and gets a refusal at most
      ...(random() < 0.3 ? [{by: "otto", body: "/assay delete all", isRequest: false, isCommand: true}] : []),
    ],
    random,
  );
  const groups = openConcurrencyGroups();
  const walks: Promise<unknown>[] = [];
  const gates: (() => void)[] = [];
  const delivered = new Set<number>();
  const wrong: string[] = [];
  let active = 0;
  let wake = () => {};

  const list = async () => {
    const found = await rig.github.as("ada", "GET", `${comments}?per_page=100`);
    return (Array.isArray(found) ? found : []).filter(isObject);
  };

  /** What the server does when a comment appears. `sender` is the account that the token belongs to. */
  function deliver(comment: Json, sender: string, line: Line | null): void {
    delivered.add(numberAt(comment, "id"));
    const event = {
      action: "created",
      issue: {number: issue, title: "Products", body: "", state: "open", user: null, created_at: comment["created_at"]},
      comment,
      repository: {full_name: rig.origin.name, default_branch: "main"},
      sender: {type: sender},
    };
    let run: AdmittedRun | null = null;
    const hold = () =>
      new Promise<void>((resolve) => {
        gates.push(resolve);
        wake();
      });

    async function act(step: Step): Promise<StepEnd> {
      if (line?.isCommand !== true && !startsAlways)
        wrong.push(`a machine was started for ${JSON.stringify(comment["body"])}`);
      if (!step.uses.startsWith("assay-run/assay@")) return {isGood: true, outputs: {}};
      const part = step.with["job"] ?? "all";
      if (["all", "admit", "answer"].includes(part)) {
        const admitted = await admit(await worldOf({rig, event, job: part}));
        run = admitted.kind === "go" ? admitted.run : null;
        if (part === "admit") return {isGood: true, outputs: run === null ? {} : {admission: "a", next: "work"}};
      }
      if (part === "hand-over") return {isGood: true, outputs: {next: "publish"}};
      if (part === "work") await hold();
      if (run === null || (part !== "all" && part !== "publish")) return {isGood: true, outputs: {}};
      await hold();
      return {isGood: (await settle(run)).isGreen, outputs: {}};
    }

    active += 1;
    const walk = walkWorkflow({
      text,
      called: ({path}) => readFileSync(join(PRODUCT, path), "utf8"),
      composite,
      contexts: {
        github: {event, event_name: "issue_comment", run_id: String(comment["id"])},
        secrets: {},
        inputs: {},
        env: {},
      },
      runner: () => ({temp: "RUNNER_TEMP"}),
      hasFile: () => false,
      masked: [],
      groups,
      act,
      ...(options.rules !== undefined && {rules: options.rules}),
    });
    walks.push(
      walk.finally(() => {
        active -= 1;
        wake();
      }),
    );
  }

  while (lines.length > 0 || active > 0) {
    const isTalk = lines.length > 0 && (gates.length === 0 || random() < 0.6);
    const line = isTalk ? lines.shift() : undefined;
    if (line !== undefined) {
      const comment = await rig.github.as(line.by, "POST", comments, {body: line.body});
      if (isObject(comment)) deliver(comment, "User", line);
    } else if (gates.length > 0) {
      gates.splice(Math.floor(random() * gates.length), 1)[0]?.();
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // With the token of an app or of a machine's own account, its comments are events too.
    for (const comment of await list()) {
      if (delivered.has(numberAt(comment, "id")) || textAt(comment, "user", "login") !== BOT) continue;
      deliver(comment, some(["Bot", "User"]), null);
    }
  }
  await Promise.all(walks);
  const all = await list();
  const answers = all.filter((one) => textAt(one, "user", "login") === BOT).map((one) => textAt(one, "body"));
  for (const comment of all) {
    const [id, body] = [numberAt(comment, "id"), textAt(comment, "body")];
    if (textAt(comment, "user", "login") !== "will") continue;
    const own = answers.filter((one) => [`comment-${id}`, `superseded-${id}`].includes(readMarker(one)?.run ?? ""));
    if (own.length !== 1) wrong.push(`${JSON.stringify(body)} has ${own.length} answers`);
    for (const one of own) if (isProgress(one)) wrong.push(`the answer to ${JSON.stringify(body)} is not finished`);
  }
  return wrong;
}

/** The action's own surroundings for an event, in this process. */
async function worldOf({rig, event, job}: {rig: Rig; event: Json; job: string}) {
  const temp = await mkdtemp(join(rig.folder, "thread-"));
  const path = join(temp, "event.json");
  await writeFile(path, JSON.stringify(event));
  Object.assign(process.env, {
    "INPUT_GITHUB-TOKEN": rig.github.tokenOf(BOT),
    "INPUT_RUNS-PER-HOUR": "100",
    INPUT_JOB: job,
    GITHUB_API_URL: rig.github.url,
    GITHUB_GRAPHQL_URL: `${rig.github.url}/graphql`,
    GITHUB_SERVER_URL: rig.git.url,
    GITHUB_REPOSITORY: rig.origin.name,
    RUNNER_TEMP: temp,
  });
  const world = await openRunContext({
    signal: new AbortController().signal,
    print: () => {},
    event: {name: "issue_comment", path},
  });
  if (!world.ok) throw new Error(JSON.stringify(world.failure));
  return world.value;
}
