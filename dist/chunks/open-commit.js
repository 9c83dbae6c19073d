import{openProject}from"./plan.js";import{createFileList}from"./steps.js";import{ok}from"./words.js";async function openCommit(options){let{repository,commit,folder}=options,paths=await repository.writeFiles({commit,folder});if(!paths.ok)return paths;let listing=Promise.resolve({files:createFileList(paths.value),notes:[]});return ok(await openProject(folder,{},listing))}
export{openCommit};
