var jsonText=(document)=>`${JSON.stringify(document,null,2).replace(/[\x7f-\x9f]/g,(one)=>`\\u00${one.charCodeAt(0).toString(16)}`)}
`;
export{jsonText};
