/** Which addresses are of a server that lacks what separate jobs need. */
import {expect, test} from "vitest";
import {otherServer} from "../../../src/github/server.ts";

test.each([
  ["https://github.com/ada/shop.git", null],
  ["https://token@github.com/ada/shop", null],
  ["git@github.com:ada/shop.git", null],
  ["ssh://git@ssh.github.com:443/ada/shop.git", null],
  ["https://ada.ghe.com/ada/shop", null],
  ["work:ada/shop.git", null],
  ["http://127.0.0.1:4711/ada/shop.git", null],
  ["http://localhost:4711", null],
  ["/srv/git/shop.git", null],
  ["../shop.git", null],
  ["", null],
  ["https://git.example.com/ada/shop.git", "git.example.com"],
  ["git@git.example.com:ada/shop.git", "git.example.com"],
  ["git.example.com:ada/shop.git", "git.example.com"],
  ["ssh://git@GIT.example.com:7999/ada/shop.git", "git.example.com"],
  ["https://notgithub.com/ada/shop", "notgithub.com"],
])("%s", (address, expected) => {
  expect(otherServer(address)).toBe(expected);
});
