/** prettier: a line for each file that is not formatted. */
import {fitting} from "./narrow-words.ts";
import type {Tool} from "./tool.ts";

export const prettier: Tool = {
  name: "prettier",
  output: {
    defaultMessage: "not formatted as prettier wants it",
    markers: ["Code style issues", "Checking formatting", "[error] "],
    lines: [
      /^\[(?<severity>warn)\] (?<file>[^\s:]+\.\w{1,10})(?<message>)$/,
      /^\[(?<severity>error)\] (?<file>[^\s:]+): (?<message>.*?) \((?<line>\d+):(?<column>\d+)\)$/,
    ],
  },
  narrowToFiles: {
    command: /^prettier$/,
    narrow: ({words, files}) => {
      const paths = fitting(files, /./);
      const isPlain = words.slice(1).every((word) => /^(?:--check|-c|\.|--list-different|-l)$/.test(word));
      return paths === null || !isPlain ? null : [...words.filter((word) => word !== "."), "-u", ...paths].join(" ");
    },
  },
  fixes: [
    {check: /(?<tool>prettier)\b.* (?:--check|-c|--list-different|-l)\b/, fix: "--write --ignore-unknown", files: /./},
  ],
};
