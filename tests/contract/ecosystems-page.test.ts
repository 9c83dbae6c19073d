/** The page of ecosystems says what the detectors do: a stale one fails. */
import {spawnSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {expect, test} from "vitest";
import {ECOSYSTEMS} from "../../src/detect/ecosystems/index.ts";

const root = new URL("../..", import.meta.url).pathname;

test("docs/ecosystems.md is what scripts/ecosystems.mjs writes", () => {
  const ran = spawnSync(process.execPath, ["scripts/ecosystems.mjs", "--check"], {cwd: root, encoding: "utf8"});
  expect(ran.stderr.replace(/^\(node:.*|^.*--trace-warnings.*$/gm, "").trim()).toBe("");
  expect(ran.status).toBe(0);
});

test("it names every detector and each of its files", () => {
  const page = readFileSync(`${root}docs/ecosystems.md`, "utf8");
  for (const {title, manifests} of ECOSYSTEMS) {
    expect(page).toContain(`| ${title} | `);
    for (const manifest of manifests) expect(page).toContain(`\`${manifest}\``);
  }
});
