import{printFailure2}from"./error-text-2.js";import"./escape.js";export{printFailure2 as printFailure};
