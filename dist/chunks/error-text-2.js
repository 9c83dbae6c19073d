import{failureLines}from"./opinion.js";function printFailure2(failure){let lines=failure.kind==="wrong-argument"?[failure.sentence]:failureLines(failure),[first="",...rest]=lines;return process.stderr.write(`${[first.startsWith("error: ")?first:`error: ${first}`,...rest].join(`
`)}
`),failure.kind==="wrong-argument"||failure.kind==="config-invalid"?3:2}
export{printFailure2};
