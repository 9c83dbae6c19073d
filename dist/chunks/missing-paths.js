import{missingPaths2}from"./missing-paths-2.js";import"./git-2.js";import"./isolation.js";export{missingPaths2 as missingPaths};
