import{tell2,lineFor2,failureLines2}from"./nm8xyn7b.js";import"./tm1zexvn.js";import"./j6t7jfdq.js";export{failureLines2 as failureLines,lineFor2 as lineFor,tell2 as tell};
