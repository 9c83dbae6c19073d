/** Recognizes CI steps that provide a server, a browser or files for the tests after them. */
import {nameSet} from "../../tools/names.ts";

/** A command that the step leaves running. */
const BACKGROUND = /^\s*((?!#|sudo |Xvfb |\()[^\n&|;]*[^\s&|;>])\s*&\s*(?:$|[^&\s>])/m;
/** Starts a server with the machine's package manager or service manager. */
const SERVICE =
  /\b(?:apt(?:-get)? (?:-\S+ )*install\b.*\b(rabbitmq-server|redis-server|postgresql|mysql-server|mariadb-server|memcached|mongodb(?:-org)?)(?![\w-])|systemctl start ([\w@-]+)|service ([\w-]+) start\b)/;
const CONTAINERS =
  /\b(docker[ -]compose (?:-\S+ \S+ )*up (?:\S+ )*?(?:-d|--detach)|docker run (?:\S+ )*?(?:-d|--detach))\b/;
/** An image for a container that the tests start themselves. */
const IMAGE = /\bdocker pull (?:-\S+ )*([\w./:@-]+)/;
/** A browser for tests whose command does not name it. */
const BROWSER =
  /\b(?:CHROME_BIN=|puppeteer(?:\/browsers)? (?:browsers )?install)|^(?:browser-actions\/setup-|nanasess\/setup-chromedriver)/;

/** An action that starts a server or a cluster for the steps after it. */
const ACTION = /^[\w.-]+\/([\w.-]+)(?:\/[\w.-]+)*@/;
const SERVERS = nameSet(
  "postgres postgresql mysql mariadb redis mongodb rabbitmq kafka elasticsearch opensearch memcached minio",
  "localstack minikube kind k3s k3d compose",
);
const isServerAction = (step: string): boolean =>
  (ACTION.exec(step)?.[1] ?? "").split(/[.-]/).some((part) => SERVERS.has(part.toLowerCase()));

/** A virtual display for later programs. On a line that also starts the tests, it does not run in the background. */
const DISPLAY = /(?:^|[\s/])(Xvfb)\s+\S/;
/** Copies files of the project into system folders. */
const PUT_IN_PLACE = /^\s*(sudo (?:-\S+ )*(?:make|ninja)\b[^\n]*\binstall\b)/m;
/** A task of the project that fetches files for its tests. */
const FETCHES = /^\s*((?:just|make|task|(?:npm|pnpm|yarn)(?: run)?) (?:download|fetch)[-_:][\w:-]+)/m;

const joined = (written: string): string => written.replace(/\s*\\\r?\n\s*/g, " ");

/** The server that this step, its text or its action, leaves running for the commands after it; null if there is none. */
export function servedBy(written: string): string | null {
  const step = joined(written);
  const [, supplied, managed, legacy] = SERVICE.exec(step) ?? [];
  const server = BACKGROUND.exec(step)?.[1] ?? supplied ?? managed ?? legacy ?? CONTAINERS.exec(step)?.[1];
  if (server !== undefined) return `CI starts \`${server.slice(0, 100)}\` in the background before it`;
  if (isServerAction(step)) return `CI starts \`${step.slice(0, 100).split("@")[0]}\` in the background before it`;
  const display = DISPLAY.exec(step)?.[1];
  return display === undefined ? null : `CI starts \`${display}\` in the background before it`;
}

/** What this step provides that the tests after it may need; null if it provides nothing. */
export function preparedFor(written: string): string | null {
  const step = joined(written);
  const placed = PUT_IN_PLACE.exec(step)?.[1];
  if (placed !== undefined)
    return `CI puts the project into its machine with \`${placed.trim().slice(0, 100)}\` before it`;
  const fetched = FETCHES.exec(step)?.[1];
  if (fetched !== undefined) return `CI downloads files with \`${fetched}\` before it`;
  const image = IMAGE.exec(step)?.[1];
  if (image !== undefined) return `CI pulls \`${image}\` for a container before it`;
  return BROWSER.test(step) ? "CI installs a browser before it" : null;
}
