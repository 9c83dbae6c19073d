function escapeLog(text,prefix="│ "){return text.replace(/(?:\r\n|\r|\n)$/,"").split(/\r\n|\r|\n/).map((line)=>prefix+line.replace(/^([\s\x85]*):(?=:)/,"$1: ").replaceAll("##[","# #[")).join(`
`)}
export{escapeLog};
