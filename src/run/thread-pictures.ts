/** Saves the pictures of the texts that the agent gets, so that it can open them. */
import {mkdir, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {downloadPicture, isPictureHost} from "../github/pictures.ts";
import {keepVisibleText} from "../markdown/visible-text.ts";
import type {Result} from "../record/words.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {agentFolder} from "./run-context.ts";

/** More pictures are hardly ever needed to understand a request. */
const MAX_PICTURES = 10;
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** An attached picture in a text: `…/user-attachments/assets/ID`, or the older `user-images…/1/2-ID.png`. */
const ATTACHED = new RegExp(`https?://[^\\s"'<>()]{1,200}/(?:user-attachments/assets/|\\d+/\\d+-)(${UUID})`, "gi");
const SOURCE = /\ssrc="([^"]+)"/g;

export interface PictureSource {
  /** where the picture is, for the agent */
  readonly place: string;
  readonly text: string;
  /** the HTML of the current text */
  readonly shown: () => Promise<Result<string, {readonly message: string}>>;
}

export interface SavedPicture {
  readonly path: string;
  readonly place: string;
}

/**
 * Only pictures in the text of the event are saved. The current text gives their addresses. Pictures that cannot be
 * downloaded become a note.
 */
export async function savePictures(run: PreparedRun, sources: readonly PictureSource[]): Promise<SavedPicture[]> {
  const folder = join(agentFolder(run), "pictures");
  const savedPictures: SavedPicture[] = [];
  const problems: string[] = [];
  let count = 0;
  for (const {place, text, shown} of sources) {
    const ids = attachedIds(text).slice(0, MAX_PICTURES - count);
    count += ids.length;
    if (ids.length === 0) continue;
    const html = await shown();
    for (const id of ids) {
      const address = html.ok ? addressOf(id, html.value, ownOrigins(run)) : null;
      const picture = address === null ? "GitHub did not give its address" : await downloadPicture(address);
      if (typeof picture === "string") {
        problems.push(`${place}: ${picture}`);
        continue;
      }
      if (savedPictures.length === 0) {
        await rm(folder, {recursive: true, force: true});
        await mkdir(folder, {recursive: true});
      }
      const path = join(folder, `${savedPictures.length + 1}.${picture.extension}`);
      await writeFile(path, picture.bytes, {flag: "wx"});
      savedPictures.push({path, place});
    }
  }
  if (problems.length > 0)
    run.record.addNotes([{about: "pictures", text: `the agent did not get all of them (${problems.join("; ")})`}]);
  return savedPictures;
}

/** Only pictures that a reader sees. */
function attachedIds(text: string): string[] {
  const ids = [...keepVisibleText(text).text.matchAll(ATTACHED)].map(([, id = ""]) => id.toLowerCase());
  return [...new Set(ids)];
}

function addressOf(id: string, html: string, origins: readonly string[]): string | null {
  const addresses = [...html.matchAll(SOURCE)].map(([, address = ""]) => address.replaceAll("&amp;", "&"));
  return addresses.find((one) => one.toLowerCase().includes(id) && isPictureHost(one, origins)) ?? null;
}

/** The addresses of an Enterprise Server, which stores pictures itself. */
const ownOrigins = ({context: {runner}}: PreparedRun): string[] =>
  [runner.serverUrl, runner.apiUrl].map((url) => new URL(url).origin);
