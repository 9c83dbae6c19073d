import{nameWidth,stageLine}from"./stage-line.js";import{escapeLog}from"./escape-log.js";function progressReporter(options,render){let{out,err,colors,isQuiet}=options;return{onEvent(event){if(isQuiet||event.kind!=="setup-finished"&&event.kind!=="stage-finished")return;err.write(`${escapeLog(stageLine(event.result,{width:nameWidth([event.result.name]),colors}),"")}
`)},async finish(record){out.write(render(record))},close(){}}}
export{progressReporter};
