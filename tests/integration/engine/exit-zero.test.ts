/** Exit code 0 with failures in the output of real runners: what is expected, tried again or nested is none, what is swallowed is one. */
import {readdirSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it, test} from "vitest";
import {stageResultWords} from "../../../src/report/stages.ts";
import {openRoom, type Room} from "./asked.ts";

const OUTPUTS = join(import.meta.dirname, "../../unit/diagnostics/exit-zero");
const namesIn = (folder: string) => readdirSync(join(OUTPUTS, folder)).map((name) => name.replace(/\.txt$/, ""));

/** Outputs of runners that tell that a test failed first. */
const RUN_AGAIN = ["ctest-until-pass", "pytest-rerun"];

let room: Room;
beforeAll(() => {
  room = openRoom();
});
afterAll(() => room.remove());
const print = (folder: string, name: string) => room.look(`cat '${join(OUTPUTS, folder, name)}.txt'`);

describe("honest", () => {
  it.each(namesIn("honest").filter((name) => !RUN_AGAIN.includes(name)))("%s passes", async (name) => {
    const result = await print("honest", name);
    expect(result, result.reason).toMatchObject({outcome: "passed", failureKind: null});
    expect(result.tests?.failed ?? 0).toBe(0);
    expect(stageResultWords(result).result).not.toMatch(/ of /);
  });
});

test.each(RUN_AGAIN)("a test that was run again until it passed is flaky: %s", async (name) => {
  expect(await print("honest", name)).toMatchObject({outcome: "flaky", exit: {code: 0}});
});

describe("swallowed", () => {
  it.each(namesIn("swallowed"))("%s fails, and the table counts the same failures", async (name) => {
    const result = await print("swallowed", name);
    expect(result).toMatchObject({outcome: "failed", failureKind: "code", exit: {code: 0}});
    expect(result.reason).toMatch(/^exit code 0, but the final summary of .+ has [1-9]\d* failed$/);
    expect(result.tests?.failed).toBeGreaterThan(0);
  });
});
