import{parse}from"./yaml.js";var MAX_YAML=250000;function parseYaml3(source){if(source.length>MAX_YAML)throw SyntaxError("YAML");return parse(source,{maxAliasCount:100,merge:!0,uniqueKeys:!1,logLevel:"error"})}
export{parseYaml3};
