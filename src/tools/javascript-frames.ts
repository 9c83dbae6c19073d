/** The format of JavaScript errors and stacks, for the test runners that print them unchanged. */

export const MESSAGE = /^\s*(?:Uncaught )?(?<message>(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: .*)$/;

/** A stack frame in the project, not in Node or an installed package. */
export const FRAME =
  /^\s*(?:at |❯ |› )(?!.*(?:node_modules|node:))(?:.* )?\(?(?:file:\/\/)?(?<file>(?:[A-Za-z]:)?[^\s:()]+\.\w{1,5}):(?<line>\d+):(?<column>\d+)\)?$/;
