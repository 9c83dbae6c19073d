import"./chunks/yfsddk27.js";import{require_picocolors}from"./chunks/vs5zwa3z.js";import{gitTop}from"./chunks/t09chxcw.js";import{planTable}from"./chunks/02c62hhv.js";import{failureLines}from"./chunks/cq1j8zvj.js";import{__toESM}from"./chunks/85jyszqr.js";var import_picocolors=__toESM(require_picocolors(),1);function printPlan(made,folder){process.stdout.write(planTable(made,import_picocolors.default));let top=gitTop(folder);if(top===null||top===folder)return;process.stdout.write(`
This is the plan of this folder alone; \`assay verify\` takes the repository's, in ${top}.
`)}function printMistakes(failure){return process.stderr.write(`${failureLines(failure).join(`
`)}
`),3}export{printMistakes,printPlan};
