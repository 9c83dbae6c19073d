import{hardenedGit2,gitRefused2}from"./git-2.js";import"./isolation.js";export{gitRefused2 as gitRefused,hardenedGit2 as hardenedGit};
