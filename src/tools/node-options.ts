/** Options of Node itself, in front of those of a tool, that decide about speed, form and output only. */

export const NODE_OPTIONS =
  "enable-source-maps|no-warnings|trace-[\\w-]+|throw-deprecation|expose-gc|disable-warning|stack-trace-limit|max-old-space-size|experimental-(?!loader)[\\w-]+|inspect[\\w-]*";
