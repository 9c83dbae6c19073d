/** What somebody does to the commit that a run works on: the base is rewritten or deleted, or the branch force-pushed or deleted. */
import type {QuickWorld} from "./quick-world.ts";

const LIKE_OURS = "export const product = 1;\n";

/** Makes what the request is about. `happen` is what somebody then does, and `branch` theirs. */
export interface Story {
  readonly on: number;
  readonly branch: string;
  /** what publishes saved work afterwards; null: nothing can */
  readonly follower: "/verify" | "/continue" | null;
  happen(): Promise<void>;
}

let branches = 0;
export const STORIES: Readonly<Record<string, (world: QuickWorld) => Promise<Story>>> = {
  async "the base is rewritten"({rig: {origin, ...rig}}) {
    const on = await rig.openIssue({title: "Products"});
    await origin.commit({files: {"customers.csv": `name\n${on}\n`}, message: "By mistake"});
    return {on, branch: "main", follower: "/verify", happen: () => origin.setRef("refs/heads/main", rig.base)};
  },
  // as after the default branch got another name without GitHub's own renaming
  async "the base is deleted"({rig: {origin, ...rig}}) {
    await origin.setRef("refs/heads/main", rig.base);
    const on = await rig.openIssue({title: "Products"});
    return {on, branch: "main", follower: null, happen: () => origin.deleteRef("refs/heads/main")};
  },
  async "the branch is force-pushed"({rig: {origin, ...rig}}) {
    const branch = `docs-${branches++}`;
    const on = await rig.openPullRequest({title: "Docs", branch, files: {"NOTES.md": "notes\n"}, by: "will"});
    const happen = async () => {
      const files = {"src/product.js": LIKE_OURS};
      const other = await origin.commit({branch: `${branch}-again`, from: rig.base, files});
      for (const ref of [`refs/heads/${branch}`, `refs/pull/${on}/head`]) await origin.setRef(ref, other);
      await origin.deleteRef(`refs/heads/${branch}-again`);
    };
    return {on, branch, follower: "/continue", happen};
  },
  async "the branch is deleted"({rig: {origin, ...rig}}) {
    const branch = `docs-${branches++}`;
    const on = await rig.openPullRequest({title: "Docs", branch, files: {"NOTES.md": "notes\n"}, by: "will"});
    // GitHub closes the pull request, and keeps its ref
    const happen = async () => {
      await origin.deleteRef(`refs/heads/${branch}`);
      await rig.github.as("will", "PATCH", `/repos/${origin.name}/pulls/${on}`, {state: "closed"});
    };
    return {on, branch, follower: null, happen};
  },
};
