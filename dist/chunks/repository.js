import{openRepository2}from"./checkout.js";import"./remote.js";import"./read-text.js";import"./git.js";import"./isolation.js";export{openRepository2 as openRepository};
