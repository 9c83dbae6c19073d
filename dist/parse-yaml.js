import{parseYaml3}from"./chunks/parse-yaml.js";import"./chunks/yaml.js";export{parseYaml3 as parseYaml};
