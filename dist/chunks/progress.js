import{labelRepeats,nameWidth,stageLine}from"./stage-line.js";import{escapeLog}from"./escape-log.js";function progressReporter(options,render){let{out,err,colors,isQuiet}=options,label=labelRepeats();return{onEvent(event){if(isQuiet||event.kind!=="setup-finished"&&event.kind!=="stage-finished")return;let result=event.kind==="setup-finished"?label(event.result):event.result;err.write(`${escapeLog(stageLine(result,{width:nameWidth([result.name]),colors}),"")}
`)},async finish(record){out.write(render(record))},close(){}}}
export{progressReporter};
