/** How JavaScript prints an error and its stack, for the test runners that show them as they are. */

export const MESSAGE = /^\s*(?:Uncaught )?(?<message>(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: .*)$/;

/** A stack frame in the project: not of Node itself and not of an installed package. */
export const FRAME =
  /^\s*(?:at |❯ |› )(?!.*(?:node_modules|node:))(?:.* )?\(?(?:file:\/\/)?(?<file>(?:[A-Za-z]:)?[^\s:()]+\.\w{1,5}):(?<line>\d+):(?<column>\d+)\)?$/;
