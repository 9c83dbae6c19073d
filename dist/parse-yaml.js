import{parseYaml2}from"./chunks/parse-yaml.js";import"./chunks/yaml.js";export{parseYaml2 as parseYaml};
