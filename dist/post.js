import{readState,openWorld}from"./chunks/0wcdzqrt.js";import"./chunks/kkyzwpqg.js";import"./chunks/k8z5nex6.js";import{choosePrograms}from"./chunks/p45qhmhf.js";import"./chunks/gszp5c9a.js";import"./chunks/cbkjtwwk.js";import{quiet}from"./chunks/6sd0vc90.js";import{failureLines}from"./chunks/kjnsanyw.js";choosePrograms({otherwise:process.env.PATH??""});var print=(line)=>console.log(line),world=await openWorld({signal:new AbortController().signal,print,keptEvent:readState("event")});if(!world.ok)print(quiet(failureLines(world.failure).join(`
<<<<<<< HEAD
`)));if(world.ok&&["all","admit","publish"].includes(world.value.inputs.job)){let{recover}=await import("./chunks/af672k0s.js");await recover(world.value)}
=======
`)));if(world.ok&&["all","admit","publish"].includes(world.value.inputs.job)){let{recover}=await import("./chunks/8ske9f03.js");await recover(world.value)}
>>>>>>> 12bab6e (Warn of unknown paths given to plan --changed)
