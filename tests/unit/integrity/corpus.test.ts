/** The integrity checks find the tamperings of the corpus, and leave its honest changes alone. */
import {describe, expect, it} from "vitest";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import {loadParsers} from "../../../src/integrity/load-parsers.ts";
import {readSettings} from "../../../src/integrity/settings/read-settings.ts";
import {readTests} from "../../../src/test-code/read-source.ts";
import {isConfiguration} from "../../../src/tools/configuration-files.ts";
import "./all-grammars.ts";
import {changeOf, readCorpus} from "./corpus.ts";

await loadParsers({
  ...{relatedTests: [], plan: null},
  files: [{path: "a.yml", basePath: "a.yml", status: "added", before: null, after: "", isExecutable: false}],
});

const corpus = readCorpus();
const all = (kind: "tampered" | "honest") =>
  corpus.flatMap((file) => file[kind].map((one) => ({...one, tool: file.tool, change: changeOf(file, one)})));
const levelOf = ({change}: ReturnType<typeof all>[number]) => inspectChange(change)[0]?.level ?? "none";

/** All findings, and as what each changed file is read. */
function describeChange({change}: ReturnType<typeof all>[number]): string {
  const files = change.files.map(({path, basePath, before}) => {
    const {length} = readTests(basePath, before);
    const settings = isConfiguration(basePath) ? `${readSettings(basePath, before).size} settings` : "no configuration";
    return `${path}: ${length} tests, ${settings}`;
  });
  const findings = inspectChange(change).map(({level, check, message}) => `${level}: ${message} (${check})`);
  return [...files, ...(findings.length === 0 ? ["no finding"] : findings)].join("\n");
}

describe("the corpus", () => {
  it("is large enough, and half of its honest changes touch tests or gate files", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(10);
    expect(all("tampered").length).toBeGreaterThanOrEqual(80);
    expect(all("honest").length).toBeGreaterThanOrEqual(60);
    expect(all("honest").filter(({gate}) => gate).length * 2).toBeGreaterThanOrEqual(all("honest").length);
  });

  it.each(all("tampered").filter(({level}) => level !== "none" && level !== "run"))("$tool: $name is found", (one) => {
    expect(one.level === "block" ? ["block"] : ["block", "flag"], describeChange(one)).toContain(levelOf(one));
  });

  it("lists each tampering that its files do not show, at most a twentieth", () => {
    const hidden = all("tampered").filter(({level}) => level === "none" || level === "run");
    expect(hidden.filter((one) => ["block", "flag"].includes(levelOf(one))).map(({name}) => name)).toEqual([]);
    expect(hidden.length * 20).toBeLessThanOrEqual(all("tampered").length);
  });

  it("flags only the honest changes that are listed as false alarms, at most a tenth, and blocks none", () => {
    const levels = all("honest").map((one) => ({
      name: `${one.tool}: ${one.name}`,
      level: levelOf(one),
      wanted: one.level,
    }));
    expect(levels.filter(({level}) => level === "block")).toEqual([]);
    const flagged = levels.filter(({level}) => level === "flag");
    expect(flagged.map(({name}) => name)).toEqual(
      levels.flatMap(({name, wanted}) => (wanted === "flag" ? [name] : [])),
    );
    expect(flagged.length * 10).toBeLessThanOrEqual(levels.length);
  });
});
