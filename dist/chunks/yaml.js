import{loadYaml2,requireYaml2,parseYaml3}from"./yaml-3.js";export{loadYaml2 as loadYaml,parseYaml3 as parseYaml,requireYaml2 as requireYaml};
