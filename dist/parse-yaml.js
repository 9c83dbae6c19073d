import{parseYaml2}from"./chunks/md15a8f6.js";export{parseYaml2 as parseYaml};
