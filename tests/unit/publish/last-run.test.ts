/** Which commit `/undo` takes back: the newest proven one that no proven commit takes back already. */
import {expect, test} from "vitest";
import type {HistoryCommit} from "../../../src/git/history.ts";
import {claimOf, findLastRun} from "../../../src/publish/last-run.ts";
import {commitMessage} from "../../../src/publish/message.ts";
import {ok} from "../../../src/record/words.ts";

const id = (letter: string) => letter.repeat(40);

function commit(letter: string, o: {parent: string; undoes?: string; message?: string}): HistoryCommit {
  const facts = {request: `Change ${letter}`, issue: 7, run: `comment-${letter}`, verified: true, requester: null};
  const tree = id(letter === "a" ? "1" : "2");
  const undoes = o.undoes === undefined ? null : id(o.undoes);
  const message = o.message ?? commitMessage({...facts, base: id(o.parent), tree, undoes});
  return {commit: id(letter), tree, parents: [id(o.parent)], message};
}

const [person, first, second] = [
  commit("c", {parent: "b", message: "By a person\n"}),
  commit("b", {parent: "a"}),
  commit("a", {parent: "0"}),
];
const undo = commit("d", {parent: "c", undoes: "b"});
const newestOf = async (history: HistoryCommit[], unproven = "") => {
  const found = await findLastRun(history, async (claim) => ok(claim.commit !== id(unproven || "9")));
  return found.ok && found.value?.commit[0];
};

test("the newest run, and after it was taken back the one before", async () => {
  expect(await newestOf([person, first, second])).toBe("b");
  expect(await newestOf([undo, person, first, second])).toBe("a");
  expect(await newestOf([commit("e", {parent: "d", undoes: "a"}), undo, person, first, second])).toBeUndefined();
});

test("a commit without a proof is nobody's run, and takes nothing back", async () => {
  expect(await newestOf([first, second], "b")).toBe("a");
  expect(await newestOf([undo, person, first, second], "d")).toBe("b");
});

test("a message is not believed on another commit, nor on a merge", () => {
  expect(claimOf(first)).toMatchObject({run: "comment-b", issue: 7, base: id("a"), undoes: null});
  expect(claimOf({...first, tree: id("3")})).toBeNull();
  expect(claimOf({...first, parents: [id("e")]})).toBeNull();
  expect(claimOf({...first, parents: [id("a"), id("e")]})).toBeNull();
  expect(claimOf({...first, parents: []})).toBeNull();
});
