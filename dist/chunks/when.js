import{Minimatch}from"./minimatch.js";import{plainPath}from"./go.js";function matchesWhen(path,globs){return globs.some((glob)=>{let bareGlob=plainPath(glob.replace(/^\.?\/+/,"")),matches=(pattern)=>new Minimatch(pattern,{dot:!0,matchBase:bareGlob===glob}).match(path);return matches(bareGlob)||!bareGlob.startsWith("!")&&matches(`${bareGlob}/**`)})}
export{matchesWhen};
