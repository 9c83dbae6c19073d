var DEFAULT_PHRASE="/assay @assay";var COMMANDS=new Map([["/verify",(line)=>({kind:"verify",only:stageNames(line)})],["/continue",(line,below)=>({kind:"continue",hint:`${line}
${below}`.trim()})],["/help",()=>({kind:"help"})]]);function parseCommand(text,{phrase}){let lines=text.replace(/\r\n?/g,`
`).replace(/^(?:[^\S\n]*\n)+/,""),end=lines.indexOf(`
`),first=end<0?lines:lines.slice(0,end),below=end<0?"":lines.slice(end+1),[,word="",line=""]=/^(\S+)(?:\s+(.*))?$/s.exec(first)??[],command=COMMANDS.get(lowerCase(word));if(command!==void 0)return command(line,below);let calls=phrase.split(/\s+/).filter((call)=>call!=="");if(calls.length===0)return lines.trim()===""?null:{kind:"work",text:lines.trim()};let called=lowerCase(word).replace(/[,:]$/,"");if(!calls.some((call)=>lowerCase(call)===called))return null;let asked=`${line}
${below}`.trim();return asked===""||lowerCase(asked)==="help"?{kind:"help"}:{kind:"work",text:asked}}function stageNames(line){let names=line.split(/[\s,]+/).filter((name)=>name!=="");return[...new Set(names)].slice(0,20)}function lowerCase(word){return word.replace(/[A-Z]/g,(letter)=>letter.toLowerCase())}
export{DEFAULT_PHRASE,parseCommand};
