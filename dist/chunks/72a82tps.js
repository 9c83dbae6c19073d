import{tell2,lineFor2,failureLines2}from"./fegv2tgb.js";import"./ghpyaj35.js";import"./j6t7jfdq.js";export{failureLines2 as failureLines,lineFor2 as lineFor,tell2 as tell};
