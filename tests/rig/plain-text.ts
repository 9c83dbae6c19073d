/** Finds a sentence in what a run leaves: in files, in git's objects and artifacts, and in what is compressed there. */
import {readdir, readFile} from "node:fs/promises";
import {join} from "node:path";
import {constants, gunzipSync, inflateRawSync, inflateSync} from "node:zlib";
import {gitBytes} from "./git.ts";
import {bash, writeFileAt} from "./model.ts";
import type {Outcome, Rig} from "./world.ts";

const SAID = "The plover sleeps while the tide is out";
const ASKED = "where does the heron keep its ladder";
const READ = "Nineteen owls read the letter twice";
const SENTENCES = [SAID, ASKED, READ];

/** The model says a sentence between its calls, one is in an argument of a call, and one is what a call brings back. */
export const talkative = (path: string, content: string) => ({
  mutters: SAID,
  do: [
    bash(`: ${ASKED}; echo ${Buffer.from(READ).toString("base64")} | base64 -d`),
    writeFileAt("notes.txt", SENTENCES.join("\n")),
    bash("rm notes.txt"),
    writeFileAt(path, content),
  ],
});

/** The places of the rig's run number `run` that have a sentence of `talkative`. */
export async function placesOfConversation(rig: Rig, outcome: Outcome, run: number): Promise<string[]> {
  const {log, record, summary, outputs, comments} = outcome;
  const texts = {log, summary, record: JSON.stringify(record), outputs: JSON.stringify(outputs)};
  const shown = Object.entries({...texts, comments: JSON.stringify(comments)}).flatMap(([place, text]) =>
    sentencesIn(Buffer.from(text), SENTENCES).map((sentence) => `${place}: ${sentence}`),
  );
  const objects = await sentencesInObjects(rig.origin.folder, SENTENCES);
  // with the artifacts, and what each machine's temporary folder still has
  const files = await filesWith(`${rig.folder}/run-${run}`, SENTENCES);
  return [...shown, ...objects.map((sentence) => `objects: ${sentence}`), ...files];
}

/** The files below `folder` with one of the sentences, by their paths, each with the sentence. */
export async function filesWith(folder: string, sentences: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true});
  const found = entries.map(async (entry) => {
    if (!entry.isFile()) return [];
    const path = join(entry.parentPath, entry.name);
    return (await readFile(path).then((bytes) => sentencesIn(bytes, sentences))).map((one) => `${path}: ${one}`);
  });
  return (await Promise.all(found)).flat();
}

/** The sentences in any object of a repository, also in those that no ref reaches. */
async function sentencesInObjects(folder: string, sentences: readonly string[]): Promise<string[]> {
  return sentencesIn(await gitBytes(folder, ["cat-file", "--batch", "--batch-all-objects", "--unordered"]), sentences);
}

/** The sentences in these bytes, as they are or compressed with gzip, zlib or as in a ZIP file. */
export function sentencesIn(bytes: Buffer, sentences: readonly string[]): string[] {
  const texts = [bytes, ...inflated(bytes)];
  return sentences.filter((sentence) => texts.some((text) => text.includes(sentence)));
}

/** A stream may be cut, or followed by other bytes. */
const PATIENT = {finishFlush: constants.Z_SYNC_FLUSH};

function inflated(bytes: Buffer): Buffer[] {
  const texts: Buffer[] = [];
  for (let at = 0; at + 2 < bytes.length; at++) {
    const rest = () => bytes.subarray(at);
    const first = bytes.readUInt16BE(at);
    if (first === 0x1f8b) texts.push(...tried(() => gunzipSync(rest(), PATIENT)));
    // the usual levels of zlib, in loose objects and packs of git
    else if ([0x7801, 0x785e, 0x789c, 0x78da].includes(first)) texts.push(...tried(() => inflateSync(rest(), PATIENT)));
    // a local header of a ZIP file: its name and extra field come before the data
    else if (first === 0x504b && at + 30 < bytes.length && bytes.readUInt16BE(at + 2) === 0x0304) {
      const data = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
      texts.push(...tried(() => inflateRawSync(bytes.subarray(data), PATIENT)));
    }
  }
  return texts;
}

function tried(inflate: () => Buffer): Buffer[] {
  try {
    return [inflate()];
  } catch {
    return [];
  }
}
