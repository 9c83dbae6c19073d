import{tell2,lineFor2,failureLines2}from"./9481hccf.js";import"./e9h4nb09.js";import"./j6t7jfdq.js";export{failureLines2 as failureLines,lineFor2 as lineFor,tell2 as tell};
