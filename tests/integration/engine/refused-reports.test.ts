/** Asking for a report never turns an honest change red: where it may have done harm, the stage runs once more without the question. */
import {chmodSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {openRoom, type Room} from "./asked.ts";

let room: Room;
beforeEach(() => {
  room = openRoom();
});
afterEach(() => room.remove());

const FINE = 'import {test} from "node:test"; test("fine", () => {});';
const RED = 'import {test} from "node:test"; test("red", () => { throw new Error("no"); });';

describe("a question that does harm", () => {
  it("is not put to a script of the candidate with a reporter of its own", async () => {
    const test = `"${process.execPath}" --test --test-reporter=spec`;
    room.place({"a.test.mjs": FINE, "package.json": JSON.stringify({scripts: {test}})});
    const scripts = {test: `"${process.execPath}" --test`};
    expect(await room.look("npm test", {scripts})).toMatchObject({outcome: "passed", tests: {passed: 1, failed: 0}});
    room.place({"a.test.mjs": RED});
    expect(await room.look("npm test", {scripts})).toMatchObject({outcome: "failed", tests: {passed: 0, failed: 1}});
  });

  const SUMMARY = "      Tests  3 passed (3)";
  it.each([
    ["a usage error", 'echo "usage: vitest run" >&2; exit 64'],
    ["an error without a word", "exit 2"],
    ["a reporter that fails behind tests which passed", `echo "${SUMMARY}"; echo "EACCES: report.xml" >&2; exit 1`],
  ])("is left out after %s", async (_, refusal) => {
    room.place({
      vitest: `#!/bin/bash\necho run >>runs\n[[ "$*" == *report* ]] && { ${refusal}; }\necho "${SUMMARY}"\n`,
    });
    chmodSync(join(room.folder, "checkout/vitest"), 0o755);
    expect(await room.look("./vitest run")).toMatchObject({outcome: "passed", tests: {passed: 3}});
    expect(readFileSync(join(room.folder, "checkout/runs"), "utf8")).toBe("run\nrun\n");
  });

  it.each([
    ["a compiler's complaint", "src/sum.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'."],
    ["a coverage bound that is missed", `${SUMMARY}\nERROR: Coverage for lines (70%) does not meet threshold (90%)`],
  ])("is not left out after %s", async (_, said) => {
    room.place({vitest: `#!/bin/bash\necho run >>runs\ncat <<'X'\n${said}\nX\nexit 1\n`});
    chmodSync(join(room.folder, "checkout/vitest"), 0o755);
    expect(await room.look("./vitest run")).toMatchObject({outcome: "failed"});
    expect(readFileSync(join(room.folder, "checkout/runs"), "utf8")).toBe("run\n");
  });

  it("is not left out where a test has failed", async () => {
    const failed = "      Tests  1 failed | 2 passed (3)";
    room.place({vitest: `#!/bin/bash\necho run >>runs\necho "${failed}"; exit 1\n`});
    chmodSync(join(room.folder, "checkout/vitest"), 0o755);
    expect(await room.look("./vitest run")).toMatchObject({outcome: "failed", tests: {failed: 1}});
    expect(readFileSync(join(room.folder, "checkout/runs"), "utf8")).toBe("run\n");
  });
});

describe("a command that cannot fail", () => {
  it.each([
    ["true || vitest run", {}],
    ["echo ok", {}],
    ["npm test", {test: "echo ok; exit 0"}],
  ])("%s is no test without a passed test that is counted", async (command, scripts) => {
    room.place({"package.json": JSON.stringify({scripts})});
    expect(await room.look(command, {scripts})).toMatchObject({outcome: "unavailable", failureKind: "no-check"});
  });

  it("passes with counted tests, and fails with a failed one", async () => {
    expect(await room.look("echo '3 passed in 0.1s' || true")).toMatchObject({outcome: "passed", tests: {passed: 3}});
    expect(await room.look("echo '1 failed, 3 passed in 0.1s' || true")).toMatchObject({outcome: "failed"});
  });

  it("is explained where a reader closes its pipe", async () => {
    const {reason} = await room.look("yes | head -n 1");
    expect(reason).toMatch(/^exit code 141: .*pipefail/);
  });
});
