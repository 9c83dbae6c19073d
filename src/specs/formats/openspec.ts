/** OpenSpec: one spec per capability, made of requirements with scenarios. Proposed changes bind nothing yet. */
import type {SpecFormat} from "./format.ts";

/** `context` in `config.yaml`, in which newer versions keep what `project.md` was for. */
const CONTEXT =
  /^context:[ \t]*(?:[|>][-+\d]{0,2}[ \t]*(?:#.*)?\r?\n(?<block>(?:[ \t]+\S.*(?:\r?\n|$)|[ \t]*\r?\n)+)|(?<line>[^\s#|>].*))/m;

export const openSpec: SpecFormat = {
  name: "openspec",
  title: "OpenSpec",
  folders: ["openspec"],
  spec: /^openspec\/specs\/(?<name>.+)\/spec\.md$/,
  always: /^openspec\/(?:project\.md|config\.ya?ml)$/,
  isLiving: true,
  sections: /^(?:purpose|requirement:.*)$/i,
  textOf: (path, text) => (path.endsWith(".md") ? text : contextOf(text)),
  newSpec: "openspec/specs/<capability>/spec.md",
};

function contextOf(yaml: string): string {
  const {block, line} = CONTEXT.exec(yaml)?.groups ?? {};
  if (line !== undefined) return line.trim().replace(/^(["'])(.*)\1$/, "$2");
  const indent = /^[ \t]+(?=\S)/m.exec(block ?? "")?.[0].length ?? 0;
  return (block ?? "")
    .split(/\r?\n/)
    .map((one) => one.slice(indent))
    .join("\n")
    .trim();
}
