import"./escape.js";import"./zod.js";import"./evidence.js";import{progressReporter}from"./progress.js";import"./stage-line.js";import"./plain-text.js";import"./stages.js";function jsonReporter(options){return progressReporter(options,(record)=>`${JSON.stringify(record,null,2)}
`)}export{jsonReporter};
