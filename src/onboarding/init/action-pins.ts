/** The actions in the written workflows, each pinned to a full commit, because a stolen account can move a tag. */

/** Assay's action. Before the first release, the pin is a commit of `main`. */
export const ASSAY = "assay-run/assay@6af30199c68db84d453b173b7f492e2fb49c8d8c # main";
/** The action that runs the setup action of the calling repository, if it has one. It is part of the same commit. */
export const SETUP = ASSAY.replace("@", "/setup@");
/** The workflow to call. It uses the action above, so its commit must be later. */
export const REUSABLE =
  "assay-run/assay/.github/workflows/separated.yml@7cd19316698eab6c38b5bfb1bd0be7bf1723a7a2 # main, runs the action of 6af3019";
export const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";
export const UPLOAD = "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0";
export const DOWNLOAD = "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1";
export const CACHE_RESTORE = "actions/cache/restore@27d5ce7f107fe9357f9df03efb73ab90386fccae # v5.0.5";
export const CACHE_SAVE = CACHE_RESTORE.replace("/restore@", "/save@");

/** Actions that install a toolchain. Other actions that a plan needs are named in a comment. */
export const TOOLCHAINS = {
  "actions/setup-node": "820762786026740c76f36085b0efc47a31fe5020 # v7.0.0",
  "actions/setup-python": "5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0",
  "actions/setup-go": "b7ad1dad31e06c5925ef5d2fc7ad053ef454303e # v7.0.0",
  "actions/setup-java": "b6effb05e454b25005698d916606bdc6ffcbf961 # v5.7.0",
  "pnpm/action-setup": "a7487c7e89a18df4991f7f222e4898a00d66ddda # v4.1.0",
  "oven-sh/setup-bun": "0c5077e51419868618aeaa5fe8019c62421857d6 # v2.2.0",
} as const;
