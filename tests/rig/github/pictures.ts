/** Attached pictures: their addresses in the HTML of a text, and their bytes, which say how they were asked for. */
import type {IncomingMessage, ServerResponse} from "node:http";

const ATTACHED = /!\[\w*\]\(\S+\/user-attachments\/assets\/([\w-]+)\)/g;

/** The HTML of a text with pictures: there, each has a short-lived key in its address. */
export function shownBody(body: unknown, url: string): {body_html?: string} {
  if (typeof body !== "string" || !body.includes("/user-attachments/")) return {};
  const pictureOf = (_: string, id: string) =>
    `<a href="x"><img width="9" src="${url}/pictures/1-${id}.gif?jwt=a&amp;b"></a>`;
  return {body_html: body.replaceAll(ATTACHED, pictureOf)};
}

export const isPicture = ({url = ""}: IncomingMessage): boolean => url.startsWith("/pictures/");

/** The beginning of a GIF, and after it the request. */
export async function sendPicture({url, headers}: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, {"content-type": "image/gif"});
  response.end(`GIF89a ${url} ${headers.authorization ?? "without a token"}`);
}
