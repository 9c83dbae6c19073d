async function demoCommand(_o){throw Error("wired in the next commit")}export{demoCommand};
