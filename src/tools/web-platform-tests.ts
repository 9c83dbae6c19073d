/** The tests of browsers. */
import type {Tool} from "./tool.ts";

export const webPlatformTests: Tool = {
  name: "web-platform-tests",
  output: {
    markers: ["TEST-UNEXPECTED-", "PROCESS-CRASH | "],
    blocks: [
      {
        start:
          /^(?:[\d:]{8} +[A-Z]+ - +)?(?:REFTEST )?(?:TEST-UNEXPECTED-[A-Z]+|PROCESS-CRASH) \| (?<testId>(?<file>[^|\s]+)[^|]*?) \| (?<message>.*)$/,
        end: /^/,
        maxLines: 1,
        inside: [],
      },
    ],
  },
};
