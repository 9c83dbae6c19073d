import{showInvisible,failureLines}from"./chunks/wording.js";import{require_picocolors}from"./chunks/picocolors.js";import{gitTop}from"./chunks/git-top.js";import{planTable}from"./chunks/plan-table.js";import{__toESM}from"./chunks/bundler-runtime.js";var import_picocolors2=__toESM(require_picocolors(),1);var import_picocolors=__toESM(require_picocolors(),1);function rankingText({scorer,of,always,given,others}){let rows=[...given,...others].map(({score,path,words,chars})=>{let what=chars===0?"not given":`${chars} characters`,why=words.length===0?"":import_picocolors.default.dim(`  ${words.join(", ")}`);return`  ${score.toFixed(3)}  ${what.padEnd(17)}  ${plain(path)}${why}`});return`
${[import_picocolors.default.bold(`Specs for this task (${scorer}, best of ${of})`),...rows.length>0?rows:["  none"],...always.map((path)=>`  always ${"".padEnd(18)}${plain(path)}`)].join(`
`)}
`}function plain(text){return showInvisible(text).replace(/\s+/g," ")}function printPlan(made,folder){if(process.stdout.write(planTable(made,import_picocolors2.default)),made.specs!==void 0)process.stdout.write(rankingText(made.specs));let top=gitTop(folder);if(top===null||top===folder)return;process.stdout.write(`
This is the plan of this folder only. \`assay verify\` uses the plan of the repository in ${top}.
`)}function printMistakes(failure){return process.stderr.write(`${failureLines(failure).join(`
`)}
`),3}export{printMistakes,printPlan};
