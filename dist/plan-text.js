import{failureLines}from"./chunks/wording.js";import{require_picocolors}from"./chunks/picocolors.js";import{planTable}from"./chunks/plan-table.js";import{gitTop}from"./chunks/git-top.js";import{__toESM}from"./chunks/bundler-runtime.js";var import_picocolors=__toESM(require_picocolors(),1);function printPlan(made,folder){process.stdout.write(planTable(made,import_picocolors.default));let top=gitTop(folder);if(top===null||top===folder)return;process.stdout.write(`
This is the plan of this folder only. \`assay verify\` uses the plan of the repository in ${top}.
`)}function printMistakes(failure){return process.stderr.write(`${failureLines(failure).join(`
`)}
`),3}export{printMistakes,printPlan};
