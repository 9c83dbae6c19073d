/** pnpm. */
import {quoteWords} from "../shell/quote.ts";
import type {Tool} from "./tool.ts";

/** With a filter, `-r` adds nothing. */
const PNPM_OPTION = /^(?:-r|--(?:recursive|(?:no-)?bail|silent|stream|parallel|workspace-concurrency=\d+))$/;

export const pnpm: Tool = {
  name: "pnpm",
  output: {
    markers: ["ERR_PNPM"],
    lines: [/^ ?(?:ERR_PNPM_|\[)?(?<code>ERR_PNPM_\w+)\]? +(?<message>.*)$/],
  },
  summaries: [{pattern: /^(?<zero>No projects matched the filters|None of the selected packages has a )/gm}],
  narrowToPackages: {
    commands: ["script *"],
    manifest: "package.json",
    narrow: ({words, packages}) => {
      const [program, ...rest] = words;
      const options = rest.filter((word) => word.startsWith("-") && word !== "--if-present");
      const [script, ...more] = rest.filter((word) => !word.startsWith("-") && word !== "run");
      const isWide = options.some((word) => word === "-r" || word === "--recursive");
      if (program !== "pnpm" || !isWide || script === undefined || script === "exec" || more.length > 0) return null;
      if (!options.every((word) => PNPM_OPTION.test(word))) return null;
      const filters = packages.map((folder) => `--filter=${quoteWords(`...{./${folder}}`)}`);
      return [program, ...options, ...filters, "run", "--if-present", script].join(" ");
    },
  },
};
