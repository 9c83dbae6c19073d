/** Reads the targets and the variables of a makefile. */

/** Each line of a recipe runs in its own shell, so its last command decides. */
const ALWAYS_PASSES = /\s*;\s*(?:true|:|exit\s+0)\s*;?\s*$/;

/** The recipe of each target, with the `-` that makes `make` ignore a failure written as `|| true`. */
export function targetsOf(text: string): Map<string, string> {
  const targets = new Map<string, string>();
  let names: string[] = [];
  const isPipefail = /^\.SHELLFLAGS\s*[:?+]?=.*\bpipefail\b/m.test(text);
  for (const line of text.replace(/\\\n[ \t]*/g, " ").split("\n")) {
    const rule = /^([\w./%-][^:=#]*?)\s*::?(?!=)\s*([^=]*)$/.exec(line);
    if (line.startsWith("\t")) {
      const [, prefix = "", written = ""] = /^\t\s*([@+-]*)\s*(.*)$/.exec(line) ?? [];
      // `$<` is not a redirection.
      const command = written.replaceAll("$<", "$IN").replace(ALWAYS_PASSES, " || true");
      const recipe = `${command}${prefix.includes("-") ? " || true" : ""}${isPipefail ? " # pipefail" : ""}`;
      for (const name of names) targets.set(name, `${targets.get(name) ?? ""}${recipe}\n`);
    } else if (rule !== null) {
      names = (rule[1] ?? "").split(/\s+/).filter((name) => !name.startsWith("."));
      const needs =
        (rule[2] ?? "").split(/[\s;#]/)[0] === undefined
          ? []
          : (rule[2] ?? "")
              .replace(/[;#|].*/, "")
              .trim()
              .split(/\s+/);
      for (const name of names)
        if (!targets.has(name))
          targets.set(
            name,
            needs
              .filter(Boolean)
              .map((need) => `make ${need}\n`)
              .join(""),
          );
    }
  }
  return targets;
}

/** The recipes with the values of variables that are a number or options, so that these are compared in their command. */
export function expandedTargets(text: string): Map<string, string> {
  const values = new Map([...variablesOf(text)].filter(([, value]) => OPTIONS.test(value)));
  if (values.size === 0) return targetsOf(text);
  const expand = (recipe: string) =>
    recipe.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) => values.get(name) ?? whole);
  return new Map([...targetsOf(text)].map(([name, recipe]) => [name, expand(recipe)]));
}

const OPTIONS = /^(?:\d[\d.]*|-[^$`"']*)$/;

/** The values of the variables, without their order of evaluation. */
export function variablesOf(text: string): Map<string, string> {
  const lines = text
    .replace(/\\\n[ \t]*/g, " ")
    .matchAll(/^[ ]*(?:export +|override +)*([\w.-]+)\s*[:?+]{0,2}=(.*)$/gm);
  return new Map([...lines].map(([, name = "", value = ""]) => [name, value.replace(/\s#.*/, "").trim()]));
}
