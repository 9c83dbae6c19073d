/** Reads texts as GitHub shows them, and downloads the pictures in them. */

import {z} from "zod";
import {readBody} from "../process/read-body.ts";
import {sendByProxy} from "./fetch.ts";
import type {Transport} from "./transport.ts";

/** GitHub's limit for an attached picture is 10 MB; agents scale down larger ones than this anyway. */
const MAX_BYTES = 5 * 1024 * 1024;
const DOWNLOAD_MS = 15_000;

/** The hosts of pictures that people attach on github.com. */
const PICTURE_HOSTS = new Set(["private-user-images.githubusercontent.com", "user-images.githubusercontent.com"]);

const shownSchema = z.object({body_html: z.string().nullish()}).transform(({body_html}) => body_html ?? "");

/** The HTML of a text: only there, a picture has an address that needs no login. It is valid for a few minutes. */
export function pictureMethods({owner, repo, call}: Transport) {
  const repository = {owner, repo, mediaType: {format: "full"}};
  return {
    shownIssue: (number: number) =>
      call({
        name: `read the pictures of #${number}`,
        answer: shownSchema,
        send: (rest, request) => rest.issues.get({...repository, issue_number: number, request}),
      }),
    shownComment: (id: number) =>
      call({
        name: `read the pictures of comment ${id}`,
        answer: shownSchema,
        send: (rest, request) => rest.issues.getComment({...repository, comment_id: id, request}),
      }),
  };
}

export interface Picture {
  readonly extension: string;
  readonly bytes: Uint8Array;
}

/** `origins` are those of a server other than github.com. */
export function isPictureHost(address: string, origins: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const {protocol, hostname, origin} = new URL(address);
  return (protocol === "https:" && PICTURE_HOSTS.has(hostname)) || origins.includes(origin);
}

/**
 * Downloads a picture, without a token and without following a redirect to another host. Returns the reason if that
 * fails, such as a picture that is too large, or of a type that agents cannot read.
 */
export async function downloadPicture(address: string): Promise<Picture | string> {
  try {
    const response = await sendByProxy(address)(address, {redirect: "error", signal: AbortSignal.timeout(DOWNLOAD_MS)});
    if (!response.ok) return `the server answered with ${response.status}`;
    const bytes = await readBody(response, MAX_BYTES);
    if (bytes === null) return `it is larger than ${MAX_BYTES / 1024 / 1024} MB`;
    const extension = typeOf(bytes);
    return extension === null ? "it is not a PNG, JPEG, GIF or WebP picture" : {extension, bytes};
  } catch {
    return "the server could not be reached";
  }
}

/** From the first bytes, because a server may name any type. SVG is a program for a browser, and not accepted. */
function typeOf(bytes: Buffer): string | null {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (start.startsWith("\xff\xd8\xff")) return "jpg";
  if (/^GIF8[79]a/.test(start)) return "gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "webp" : null;
}
