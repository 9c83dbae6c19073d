/** Names that may be asked of a server and pushed to are the names that git takes. */
import {spawnSync} from "node:child_process";
import {expect, test} from "vitest";
import {isRefName} from "../../../src/git/remote.ts";

const NAMES = [
  ...[
    "feature/größe",
    "fix(scope)!",
    "user's=50%",
    "a,b;c|d&e$(f)`g`{h}",
    "日本",
    "#1",
    "a.b",
    "x@y",
    "a/-b",
    "a.lockx",
  ],
  ...[
    "a..b",
    "a@{1}",
    "a.lock",
    "a.lock/b",
    "a//b",
    "a/",
    "a.",
    "a/.b",
    "a b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
  ],
  ...["a\tb", "a\nb", "a\u007fb", ""],
];

test.each(NAMES)("refs/heads/%j", (name) => {
  const ref = `refs/heads/${name}`;
  const {status} = spawnSync("git", ["check-ref-format", ref]);
  expect(isRefName(ref)).toBe(status === 0);
});

test.each(["-f", "--upload-pack=x", "+main", "@", ".git", "/etc"])("%s is never asked for", (name) => {
  expect(isRefName(name)).toBe(false);
});
