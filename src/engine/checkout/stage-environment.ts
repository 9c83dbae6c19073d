/** The parts of the machine that the stages of one checkout may see and use: files, home, network, variables, logs. */
import {mkdirSync} from "node:fs";
import {entriesAt} from "../../git/private-index.ts";
import type {Repository} from "../../git/repository.ts";
import type {OnEvent} from "../../record/events.ts";
import type {SetupStep} from "../../record/plan.ts";
import {scriptsAt} from "../commands/expand-scripts.ts";
import type {StageIsolation} from "../isolation/choose-sandbox.ts";
import type {StageHome} from "../isolation/home.ts";
import {type CommandView, foldersOfHome} from "../isolation/sandbox-view.ts";
import {openCoverage} from "../stage/line-coverage.ts";
import type {Logs} from "../stage/logs.ts";
import type {TreePaths} from "../stage/places.ts";
import {openReports} from "../stage/reports.ts";
import type {StageEnvironment} from "../stage/stage.ts";

/** The options that all checkouts of a verification share. */
export interface CheckoutOptions {
  readonly folder: string;
  readonly repository: Repository;
  readonly base: string;
  readonly setup: readonly SetupStep[];
  /** an install of the base, or the dependencies in a developer's working folder */
  readonly dependencies: {readonly kind: "install"} | {readonly kind: "folder"; readonly folder: string};
  readonly home: StageHome;
  readonly isolation: StageIsolation;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** receives the long outputs of setup and stages */
  readonly logs?: Logs;
  /** folders that stages see as empty if there is no sandbox but a process namespace */
  readonly hidden?: readonly string[];
}

/** A commit's files, and the home of its stages. */
export interface CheckoutFolders {
  readonly root: string;
  readonly home: string;
  /** absent for an empty folder */
  readonly commit?: string;
}

interface EnvironmentOptions
  extends CheckoutFolders,
    Pick<CommandView, "alsoReadable" | "overlaidInstalls" | "baseHome" | "readsBuildCaches"> {
  /** true for the setup, which may use the network with `"network": "setup"` */
  readonly isSetup: boolean;
}

/**
 * Without a network these use what the set-up downloaded. Otherwise uv asks its index again for the build backend of the
 * project in each new checkout, as in pydantic-settings, and Cargo for a workspace without a lock file, as in similar
 * (uv's reference, "Environment variables"; the Cargo book, `net.offline`).
 */
export const OFFLINE_VARIABLES = {UV_OFFLINE: "true", CARGO_NET_OFFLINE: "true"};

export function openStageEnvironment(
  options: CheckoutOptions,
  {root, home, commit, isSetup, ...view}: EnvironmentOptions,
): StageEnvironment {
  const {isolation, signal, logs, hidden, repository, base} = options;
  const {variables, sandbox} = options.home;
  const pins = isSetup ? "nothing" : "settings and programs";
  const {tmp} = foldersOfHome(home);
  mkdirSync(tmp, {recursive: true, mode: 0o700});
  const network = isolation.network === "all" || (isSetup && isolation.network === "setup");
  const {TMPDIR: tmpSeen} = variables({home, pathFirst: [], extra: {}});
  // The change must not choose its own commands (P4).
  const scripts = (cwd: string) => scriptsAt({repository, commit: base, cwd});
  let listing: Promise<TreePaths> | undefined;
  const listPaths = async (of: string): Promise<TreePaths> => {
    const entries = await entriesAt({git: repository.git, commit: of});
    return new Set(entries.ok ? entries.value.map(({path}) => path) : []);
  };
  const paths = commit === undefined ? undefined : () => (listing ??= listPaths(commit));
  const reportOptions = tmpSeen !== undefined && {
    ...{checkout: root, reportFolder: tmp, seenAs: tmpSeen, scripts},
    ...(paths && {paths}),
  };
  return {
    folder: root,
    isolation: isolation.level,
    signal,
    ...(logs && {logs}),
    ...(hidden && {hidden}),
    ...(paths && {paths}),
    ...(reportOptions && {reports: openReports(reportOptions), coverage: openCoverage(reportOptions)}),
    sandbox: (env, kept) => sandbox({...view, ...kept, checkout: root, home, env, pins, network}),
    variables: ({pathFirst, extra}) =>
      variables({home, pathFirst, extra: network ? extra : {...OFFLINE_VARIABLES, ...extra}}),
  };
}
