import{parseYaml2}from"./chunks/parse-yaml.js";import"./chunks/yaml-2.js";export{parseYaml2 as parseYaml};
