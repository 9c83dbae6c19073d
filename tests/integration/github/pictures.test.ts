/** Downloads of pictures: from GitHub's hosts only, bounded, and only of the types that agents read. */
import {once} from "node:events";
import {createServer} from "node:http";
import {afterAll, beforeAll, expect, test} from "vitest";
import {downloadPicture, isPictureHost} from "../../../src/github/pictures.ts";

const FILES: Readonly<Record<string, Uint8Array>> = {
  "/png": Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]),
  "/jpg": Buffer.from("\xff\xd8\xff\xe0 and more", "latin1"),
  "/webp": Buffer.from("RIFF\n\0\0\0WEBPVP8 ", "latin1"),
  "/svg": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
  "/page": Buffer.from("<!doctype html><p>sign in"),
  "/large": Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(6 * 1024 * 1024)]),
  "/empty": Buffer.alloc(0),
};
const server = createServer(({url = ""}, response) => {
  if (url === "/moved") response.writeHead(302, {location: "/png"}).end();
  else if (url === "/gone") response.writeHead(404).end();
  else response.writeHead(200, {"content-type": "image/png"}).end(FILES[url]);
});
let origin = "";
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => void server.close());

test.each(["png", "jpg", "webp"])("%s is a picture by its first bytes", async (name) => {
  expect(await downloadPicture(`${origin}/${name}`)).toEqual({extension: name, bytes: FILES[`/${name}`]});
});

test.each([
  ["/svg", "it is not a PNG, JPEG, GIF or WebP picture"],
  ["/page", "it is not a PNG, JPEG, GIF or WebP picture"],
  ["/empty", "it is not a PNG, JPEG, GIF or WebP picture"],
  ["/large", "it is larger than 5 MB"],
  ["/moved", "the server could not be reached"],
  ["/gone", "the server answered with 404"],
])("%s is refused", async (path, why) => {
  expect(await downloadPicture(`${origin}${path}`)).toBe(why);
});

test.each([
  ["https://private-user-images.githubusercontent.com/1/2-3.png?jwt=x", true],
  ["https://user-images.githubusercontent.com/1/2-3.png", true],
  ["http://private-user-images.githubusercontent.com/1/2-3.png", false],
  ["https://private-user-images.githubusercontent.com.example.com/a.png", false],
  ["https://user@example.com/private-user-images.githubusercontent.com", false],
  ["https://camo.githubusercontent.com/abc", false],
  ["http://169.254.169.254/latest", false],
  ["https://ghe.example.com/a.png", true],
  ["https://ghe.example.com:444/a.png", false],
  ["not an address", false],
])("%s: %s", (address, isAllowed) => {
  expect(isPictureHost(address, ["https://ghe.example.com"])).toBe(isAllowed);
});
