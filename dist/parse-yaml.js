import{parseYaml3}from"./chunks/parse-yaml.js";import"./chunks/yaml-2.js";export{parseYaml3 as parseYaml};
