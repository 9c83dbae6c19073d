/**
 * Is every command of CI's jobs for pull requests a stage, covered by stages, or listed? Reads the workflows of checked-out
 * repositories without any part of Assay: `npm run bench -- ci-account --trees FOLDER` (a folder of checkouts).
 */
import {execFileSync} from "node:child_process";
import {existsSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {parse} from "yaml";

const CLI = new URL("../dist/cli.js", import.meta.url).pathname;
/** Lines of shell text that start no program, or only print. */
const NO_COMMAND =
  /^(#|echo\b|printf\b|set\b|export\b|cd\b|pushd\b|popd\b|exit\b|then$|else$|fi\b|do$|done\b|esac\b|;;|[{}()]+;?$|\w+=\S*$|\w+=\S*\$\([^()]*\)\S*$|\w+\+?=("|'|\$\(|`|\(|\S*$)|for\b|case\b|true$|:$|read\b|local\b|function\b|[\w*|"'. -]+\)$|[\w-]+\s*\(\)|IFS=|\||&&|\|\||sleep\b|trap\b|shopt\b|unset\b|wait\b|return\b|shift\b|declare\b|continue\b|break\b|"\$@"|(el)?if (! )?(\[\[?|\(\() (.*then$|[^;&|]*\]\]?$)|while (! )?\[.*do$)/;

/** The scripts of the steps of jobs that a change of an open pull request starts. */
export function pullRequestSteps(tree) {
  const folder = join(tree, ".github/workflows");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .flatMap((name) => {
      let workflow;
      try {
        workflow = parse(readFileSync(join(folder, name), "utf8"), {merge: true, maxAliasCount: 1000});
      } catch {
        return [];
      }
      const on = workflow?.on;
      const events = typeof on === "string" ? [on] : Array.isArray(on) ? on : Object.keys(on ?? {});
      const types = on?.pull_request?.types;
      const isChange = !Array.isArray(types) || types.some((type) => /^(opened|synchronize|reopened)$/.test(type));
      if (!events.includes("pull_request") || !isChange) return [];
      return Object.entries(workflow.jobs ?? {}).flatMap(([job, {if: condition, steps, defaults}]) =>
        neverOnPull(condition)
          ? []
          : (steps ?? []).flatMap((step) =>
              typeof step.run === "string" && !neverOnPull(step.if)
                ? [{file: name, job, step: {shell: (defaults ?? workflow.defaults)?.run?.shell, ...step}}]
                : [],
            ),
      );
    });
}

/** Conditions that a pull request never fulfils, or that hold only after a failure. */
const neverOnPull = (condition) => {
  const text = String(condition ?? "").replace(/^\s*\$\{\{|\}\}\s*$/g, "");
  return text.includes("||") ? NEVER.test(text.trim()) : text.split("&&").some((part) => NEVER.test(part.trim()));
};

const NEVER =
  /^(false|failure\(\)|cancelled\(\)|.*github\.event_name == '(?!pull_request)|.*github\.event_name != 'pull_request'|.*github\.ref == 'refs\/(heads|tags)|.*startsWith\(github\.ref, 'refs\/(heads|tags))/;

/** The lines of a script that start a program: continuations joined, the bodies of here-documents removed. */
function linesOf(script) {
  const lines = [];
  /** @type {string | null} */
  let end = null;
  for (const line of script
    .replaceAll("\r\n", "\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n")) {
    if (end !== null) {
      if (line.trim() === end) end = null;
      continue;
    }
    end = /<<-?\s*['"\\]?([A-Za-z_]\w*)/.exec(line)?.[1] ?? null;
    // What a container runs is listed next to the start of the container.
    const [, start, inner] = /^(.*\b(?:ba|z|da)?sh -\w*c) (?:'([^']+)'|"(?!\$\w+"$)[^"]+")$/.exec(line.trim()) ?? [];
    if (line.trim().startsWith("#")) continue;
    if (start !== undefined) lines.push(start.replace(/^\w+ -\w*c$/, "true"));
    lines.push(start === undefined ? line.trim() : (inner ?? line.trim().slice(start.length + 2, -1)));
  }
  return lines.filter((line) => line !== "" && !NO_COMMAND.test(line));
}

/** Expressions and variables may have any value in the account. */
function patternOf(line) {
  const head = line
    // The condition of an `if` is no command by itself; what it guards is.
    .replace(/^if \[\[? [^;]* \]\]?; then /, "")
    .replace(/^(?:\/bin\/)?(?:ba|da|z)?sh -\w*c ["']/, "")
    .replaceAll(/\$\{\{.*?\}\}/g, "$ANY")
    .replace(/^[({]\s*/, "")
    .replace(/^[^()\s"']+(\s*\|\s*[^()\s]+)*\)\s*/, "")
    .replace(/^((if|elif|while|until|then|do|else|!|time)\s+)+/, "")
    .replace(/\s+#\s.*$/, "")
    .split(/\s*(?:&&|;|\|\||\||\d?>|<|&)\s*/)[0]
    .trim();
  const anyValue = head.split(/\$\{[^}]*\}|\$\w+/);
  const quoted = anyValue.map((part) => part.replace(/\s+/g, " ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return {head, pattern: new RegExp(quoted.map((part) => part.trim()).join("[^\\n]*?"))};
}

export function missingCommands(tree) {
  const plan = JSON.parse(
    execFileSync(process.execPath, [CLI, "plan", "--json"], {cwd: tree, encoding: "utf8", maxBuffer: 1 << 28}),
  );
  const text = (plan.ci ?? []).map(({command}) => command.replace(/\s+/g, " ")).join("\n");
  let count = 0;
  const missing = pullRequestSteps(tree).flatMap(({file, job, step}) => {
    const isOther = /pwsh|powershell|cmd|python|node|Rscript|perl|ruby/.test(step.shell ?? "");
    const lines = isOther ? step.run.trim().split("\n").slice(0, 1) : linesOf(step.run);
    return lines.flatMap((line) => {
      const {head, pattern} = patternOf(line);
      if (head === "" || NO_COMMAND.test(head)) return [];
      count++;
      return pattern.test(text) ? [] : [`${file} ${job}: ${line.slice(0, 150)}`];
    });
  });
  return {count, missing, outcomes: plan.ci ?? []};
}

export async function measure() {
  const index = process.argv.indexOf("--trees");
  if (index < 0) throw new Error("usage: npm run bench -- ci-account --trees FOLDER");
  const folder = process.argv[index + 1] ?? ".";
  const rows = readdirSync(folder).map((name) => ({name, ...missingCommands(join(folder, name))}));
  const withCi = rows.filter(({count}) => count > 0);
  for (const {name, count, missing} of withCi) {
    if (missing.length === 0) continue;
    console.log(`${name}: ${missing.length} of ${count} lines are not accounted for`);
    for (const one of missing.slice(0, 12)) console.log(`  ${one}`);
  }
  const total = (of) => withCi.reduce((sum, row) => sum + of(row), 0);
  const ofKind = (kind) => total(({outcomes}) => outcomes.filter(({outcome}) => outcome.kind === kind).length);
  console.log(
    `${withCi.length} repositories, ${total(({count}) => count)} lines; stage ${ofKind("stage")}, covered ${ofKind("covered")}, listed ${ofKind("listed")}`,
  );
  const value = total(({missing}) => missing.length);
  return {
    rows: withCi.map(({name, count, missing}) => ({name, count, missing})),
    bounds: [{what: "lines of CI that the plan does not account for", value, bound: 0, unit: "lines"}],
  };
}
