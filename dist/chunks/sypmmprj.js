import{tell2,lineFor2,failureLines2}from"./21cjxgjm.js";import"./96fqyc9j.js";import"./j6t7jfdq.js";export{failureLines2 as failureLines,lineFor2 as lineFor,tell2 as tell};
