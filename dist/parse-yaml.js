import{parseYaml2}from"./chunks/fennjcpp.js";import"./chunks/bmbt19nm.js";export{parseYaml2 as parseYaml};
