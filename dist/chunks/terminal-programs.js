import{choosePrograms}from"./isolation.js";function useTerminalPrograms(){choosePrograms({first:process.env.PATH??""})}
export{useTerminalPrograms};
