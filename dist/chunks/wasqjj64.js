import{planTable2,planMarkdown2}from"./p6mrak6p.js";import"./j6t7jfdq.js";export{planMarkdown2 as planMarkdown,planTable2 as planTable};
