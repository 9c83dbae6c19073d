import{printFailure2}from"./config-frame.js";import"./code-frame.js";import"./jsonc-parser.js";import"./escape.js";export{printFailure2 as printFailure};
