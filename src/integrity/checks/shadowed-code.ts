/** Finds files of tests that take the place of the product's code. A part of the check `mocked-subject`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";

const CLASSES =
  /^(?:(?:public|final|abstract|internal|open|data|sealed|private)\s+)*(?:class|interface|enum(?:\s+class)?|record|object)\s+(\w+)/gm;

export function shadowedCode({files, hiddenSources = new Map()}: InspectedChange): IntegrityFinding[] {
  return files.flatMap((file) => {
    const sources = hiddenSources.get(file.path) ?? [];
    const hidden =
      file.after === null || sources.length === 0
        ? undefined
        : sources.find((one) => one !== file.path && isHidden(file, one));
    if (hidden === undefined) return [];
    const message = `This file takes the place of \`${hidden}\` in the tests`;
    const fix = "Give it another name, and test the real code.";
    return [
      {check: "mocked-subject", level: "flag", path: file.path, line: null, message, fix} satisfies IntegrityFinding,
    ];
  });
}

function isHidden({path, status, before, after}: InspectedFile, source: string): boolean {
  if (!/\.(?:java|kt|groovy|scala)$/.test(path)) return status === "added" || status === "renamed";
  const name = source.slice(source.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const defines = (text: string | null) => [...(text ?? "").matchAll(CLASSES)].some((match) => match[1] === name);
  return defines(after) && !defines(before);
}
