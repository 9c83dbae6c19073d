var STACK_FRAME=/^(?:at |❯ |› )/;function wholeMessage({message,testId},{excerpt}){if(!message.endsWith(":"))return message;let lines=excerpt.split(`
`).map((line)=>line.trim()),name=testId===void 0?-1:lines.findLastIndex((line)=>line.includes(testId)),place=lines.findIndex((line,index)=>index>name&&line.endsWith(message)),values=place<0?void 0:lines.slice(place+1).find((line)=>line!=="");return values!==void 0&&values.length<=200&&!STACK_FRAME.test(values)?`${message} ${values}`:message}
export{wholeMessage};
