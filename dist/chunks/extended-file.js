import{ok,refused}from"./words.js";var {readFile}=process.getBuiltinModule("node:fs/promises");var VARIABLE="ASSAY_EXTENDS",extendedFile=async()=>{let file=process.env[VARIABLE]??"",text=file===""?null:await readFile(file,"utf8").catch(()=>null);return text===null?refused(`set ${VARIABLE} to the path of a copy of it`):ok({file,text})};
export{extendedFile};
