/** Opens real pipes for a program's output, because Node would use sockets. */
import {execFile} from "node:child_process";
import {closeSync, constants, openSync} from "node:fs";
import {mkdtemp, readdir, rm} from "node:fs/promises";
import {Socket} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {promisify} from "node:util";
import {ownPrograms} from "./own-programs.ts";

/** Receives a program's output. The bytes are valid only during the call. */
export interface PipeReaders {
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
}

/**
 * File descriptors for the program, and our ends, which are being read. `release` closes our copies of the program's
 * descriptors.
 */
export interface Pipes {
  readonly fds: readonly [number, number];
  readonly ends: readonly [Socket, Socket];
  release(): void;
}

/** The capacity of a pipe; a larger buffer would never be filled. */
const BUFFER_BYTES = 65_536;

/** An open pipe. */
interface Pipe {
  readonly read: number;
  readonly write: number;
}

/**
 * Pipes in reserve. A program creates many at once, because starting it for each command costs more than the command.
 */
const unusedPipes: Pipe[] = [];
const PIPES_PER_BATCH = 16;
let creation: Promise<void> | null = null;

/**
 * Two pipes, or null if the machine has no `mkfifo`. On a socket, opening `/dev/stdout` or `/dev/stderr` fails with
 * ENXIO (unix(7), proc_pid_fd(5)): a shell script that prints its errors that way would fail only here. Node has no
 * call for a pipe, so named pipes are created, opened at both ends and unlinked.
 */
export async function openPipes(readers: PipeReaders): Promise<Pipes | null> {
  try {
    const [out, err] = [await takePipe(), await takePipe()];
    return {
      fds: [out.write, err.write],
      ends: [readPipe(out.read, readers.stdout), readPipe(err.read, readers.stderr)],
      release: () => {
        for (const {write} of [out, err]) closeSync(write);
      },
    };
  } catch {
    return null; // no such program, or no space for a folder: the caller uses Node's sockets
  }
}

async function takePipe(): Promise<Pipe> {
  for (;;) {
    const pipe = unusedPipes.pop();
    if (pipe !== undefined) return pipe;
    creation ??= makePipes().finally(() => {
      creation = null;
    });
    await creation;
  }
}

async function makePipes(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `assay-pipes-${process.pid}-`));
  try {
    const names = Array.from({length: PIPES_PER_BATCH}, (_, index) => join(folder, String(index)));
    const program = ownPrograms().find("mkfifo");
    if (!program.ok) throw new Error(program.failure);
    await promisify(execFile)(program.value, ["-m", "600", ...names]);
    for (const name of names) unusedPipes.push(openPipe(name));
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/**
 * Removes folders in `folder` of Assay processes that were killed while they created pipes; the names contain the pid.
 */
export async function removeAbandonedPipes(folder = tmpdir()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const abandonedFolders = names.filter((name) => {
    const pid = /^assay-pipes-(\d+)-\w{6}$/.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  // folders of other users remain
  await Promise.allSettled(abandonedFolders.map((name) => rm(join(folder, name), {recursive: true, force: true})));
}

/** True if the process exists, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function openPipe(name: string): Pipe {
  const readEnd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  return {read: readEnd, write: openSync(name, constants.O_WRONLY)};
}

/** One buffer for all chunks: with a new one for each, a gigabyte of output would double Assay's memory. */
function readPipe(fd: number, reader: (bytes: Uint8Array) => void): Socket {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  const callback = (length: number): boolean => {
    reader(buffer.subarray(0, length));
    return true;
  };
  return new Socket({fd, readable: true, writable: false, onread: {buffer, callback}});
}
