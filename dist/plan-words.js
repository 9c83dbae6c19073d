import"./chunks/zxjhvfkd.js";import{require_picocolors}from"./chunks/vs5zwa3z.js";import{gitTop}from"./chunks/4q36j32x.js";import{planTable}from"./chunks/2wve7kvf.js";import{failureLines}from"./chunks/qmzq54xp.js";import{__toESM}from"./chunks/85jyszqr.js";var import_picocolors=__toESM(require_picocolors(),1);function sayPlan(made,folder){process.stdout.write(planTable(made,import_picocolors.default));let top=gitTop(folder);if(top===null||top===folder)return;process.stdout.write(`
This is the plan of this folder alone; \`assay verify\` takes the repository's, in ${top}.
`)}function sayMistakes(failure){return process.stderr.write(`${failureLines(failure).join(`
`)}
`),3}export{sayMistakes,sayPlan};
