import{openRepository2}from"./checkout.js";import"./lfs.js";import"./remote.js";import"./private-index.js";import"./git-2.js";import"./isolation.js";export{openRepository2 as openRepository};
