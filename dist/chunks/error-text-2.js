import{showInvisible}from"./escape.js";import{failureLines}from"./failure-lines.js";import{escapeLog}from"./escape-log.js";function printFailure2(failure){let lines=failure.kind==="wrong-argument"?[failure.sentence]:failureLines(failure),[first="",...rest]=lines,text=[first.startsWith("error: ")?first:`error: ${first}`,...rest].join(`
`);return process.stderr.write(`${escapeLog(showInvisible(text),"")}
`),failure.kind==="wrong-argument"||failure.kind==="config-invalid"?3:2}
export{printFailure2};
