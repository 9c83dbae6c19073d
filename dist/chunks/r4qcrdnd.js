var {existsSync}=process.getBuiltinModule("node:fs");var {dirname,join}=process.getBuiltinModule("node:path");function gitTop(cwd){return closest(cwd,(folder)=>existsSync(join(folder,".git")))}function closest(folder,fits){for(let here=folder;;here=dirname(here)){if(fits(here))return here;if(dirname(here)===here)return null}}
export{gitTop,closest};
