import{withholdWrites2}from"./withhold-writes-2.js";export{withholdWrites2 as withholdWrites};
