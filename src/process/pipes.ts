/** Real pipes for a program's output, because Node would give it sockets. */
import {execFile} from "node:child_process";
import {closeSync, constants, openSync} from "node:fs";
import {mkdtemp, rm} from "node:fs/promises";
import {Socket} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {promisify} from "node:util";

/** What reads a program's output. The bytes are valid only during the call. */
export interface Readers {
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
}

/** File descriptors for the program, and our reading ends, which are being read; `release` gives up our hold on the former. */
export interface Pipes {
  readonly fds: readonly [number, number];
  readonly ends: readonly [Socket, Socket];
  release(): void;
}

/** What a pipe holds at most; a larger buffer would never be filled. */
const BUFFER_BYTES = 65_536;

/**
 * Two pipes, or null where the machine has no `mkfifo`. On a socket, opening `/dev/stdout` or `/dev/stderr`
 * fails with ENXIO (unix(7), proc_pid_fd(5)): a shell script that prints its errors that way would be red here and
 * green everywhere else. Node has no call for a pipe, so a named one is made, opened at both ends and unlinked.
 */
export async function openPipes(readers: Readers): Promise<Pipes | null> {
  try {
    const folder = await mkdtemp(join(tmpdir(), "assay-pipes-"));
    try {
      const names = [join(folder, "out"), join(folder, "err")] as const;
      await promisify(execFile)("mkfifo", ["-m", "600", ...names]);
      const [out, err] = [openPipe(names[0]), openPipe(names[1])];
      return {
        fds: [out.write, err.write],
        ends: [read(out.read, readers.stdout), read(err.read, readers.stderr)],
        release: () => {
          for (const {write} of [out, err]) closeSync(write);
        },
      };
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  } catch {
    return null; // no such program, or no room for a folder: the caller falls back to what Node offers
  }
}

function openPipe(name: string): {readonly read: number; readonly write: number} {
  const read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  return {read, write: openSync(name, constants.O_WRONLY)};
}

/** One buffer for all that comes: with a new one for each chunk, a gigabyte of output doubles the bot's memory. */
function read(fd: number, reader: (bytes: Uint8Array) => void): Socket {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  const callback = (length: number): boolean => {
    reader(buffer.subarray(0, length));
    return true;
  };
  return new Socket({fd, readable: true, writable: false, onread: {buffer, callback}});
}
