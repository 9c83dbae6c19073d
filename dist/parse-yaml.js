import{parseYaml2}from"./chunks/sysmpbey.js";import"./chunks/bmbt19nm.js";export{parseYaml2 as parseYaml};
