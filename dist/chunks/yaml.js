import{loadYaml2,requireYaml2,parseYaml2}from"./yaml-3.js";export{loadYaml2 as loadYaml,parseYaml2 as parseYaml,requireYaml2 as requireYaml};
