/** Real pipes for a program's output, because Node would give it sockets. */
import {execFile} from "node:child_process";
import {closeSync, constants, openSync} from "node:fs";
import {mkdtemp, rm} from "node:fs/promises";
import {Socket} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import type {Readable} from "node:stream";
import {promisify} from "node:util";

/** Our ends to read from, and the file descriptors for the program; `release` gives up our hold on the latter. */
export interface Pipes {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly fds: readonly [number, number];
  release(): void;
}

/**
 * Two pipes, or null where the machine has no `mkfifo`. On a socket, opening `/dev/stdout` or `/dev/stderr`
 * fails with ENXIO (unix(7), proc_pid_fd(5)): a shell script that prints its errors that way would be red here and
 * green everywhere else. Node has no call for a pipe, so a named one is made, opened at both ends and unlinked.
 */
export async function openPipes(): Promise<Pipes | null> {
  try {
    const folder = await mkdtemp(join(tmpdir(), "assay-pipes-"));
    try {
      const names = [join(folder, "out"), join(folder, "err")] as const;
      await promisify(execFile)("mkfifo", ["-m", "600", ...names]);
      const [out, err] = [openPipe(names[0]), openPipe(names[1])];
      return {stdout: reader(out), stderr: reader(err), fds: [out.write, err.write], release: () => close([out, err])};
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  } catch {
    return null; // no such program, or no room for a folder: the caller falls back to what Node offers
  }
}

interface Ends {
  readonly read: number;
  readonly write: number;
}

function openPipe(name: string): Ends {
  const read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  return {read, write: openSync(name, constants.O_WRONLY)};
}

function reader(ends: Ends): Readable {
  return new Socket({fd: ends.read, readable: true, writable: false});
}

function close(pipes: readonly Ends[]): void {
  for (const pipe of pipes) closeSync(pipe.write);
}
