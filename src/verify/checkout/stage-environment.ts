/** What the stages of one checkout may see and use: its files, its home, the network, variables, logs and reports. */
import {mkdirSync} from "node:fs";
import type {Repository} from "../../git/repository.ts";
import type {OnEvent} from "../../record/events.ts";
import type {SetupStep} from "../../record/plan.ts";
import {scriptsAt} from "../commands/scripts.ts";
import type {StageIsolation} from "../isolation/choose-sandbox.ts";
import type {StageHome} from "../isolation/home.ts";
import {besideHome} from "../isolation/sandbox-view.ts";
import type {Logs} from "../stage/logs.ts";
import {openReports} from "../stage/reports.ts";
import type {StageEnvironment} from "../stage/stage.ts";

/** Where dependencies come from: an install of the base, or what a developer's working folder already has. */
type Dependencies = {readonly kind: "install"} | {readonly kind: "folder"; readonly folder: string};

/** What all checkouts of a verification are made with. */
export interface CheckoutOptions {
  readonly folder: string;
  readonly repository: Repository;
  readonly base: string;
  readonly setup: readonly SetupStep[];
  readonly dependencies: Dependencies;
  readonly home: StageHome;
  readonly fence: StageIsolation;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** where the long outputs of set-up and stages are kept */
  readonly logs?: Logs;
  /** folders that are empty for them where there is no sandbox, but a process namespace */
  readonly hidden?: readonly string[];
}

/** A commit's files, and the home of what runs there. */
export interface CheckoutPlace {
  readonly root: string;
  readonly home: string;
}

/** `installs` lets the network in where it is open for the set-up alone; `alsoShown` are folders to be read beside the checkout. */
export function openStageEnvironment(
  options: CheckoutOptions,
  o: CheckoutPlace & {
    installs: boolean;
    alsoShown: readonly string[];
    baseHome: string | null;
    readsBuildCaches: boolean;
  },
): StageEnvironment {
  const {root, home, installs, alsoShown, baseHome, readsBuildCaches} = o;
  const {fence, signal, logs, hidden, repository, base} = options;
  const {environment, sandbox} = options.home;
  const pins = installs ? "nothing" : "settings and programs";
  const {tmp} = besideHome(home);
  mkdirSync(tmp, {recursive: true, mode: 0o700});
  const network = fence.network === "all" || (installs && fence.network === "setup");
  const {TMPDIR: seen} = environment({home, pathFirst: [], extra: {}});
  // The change must not choose its own commands (P4).
  const scripts = (cwd: string) => scriptsAt({repository, commit: base, cwd});
  return {
    folder: root,
    isolation: fence.isolation,
    signal,
    ...(logs && {logs}),
    ...(hidden && {hidden}),
    ...(seen !== undefined && {reports: openReports({folder: root, here: tmp, seen, scripts})}),
    sandbox: (env) =>
      sandbox({checkout: root, home, alsoShown, alsoWritable: [], env, pins, baseHome, network, readsBuildCaches}),
    environment: ({pathFirst, extra}) => environment({home, pathFirst, extra}),
  };
}
