function placeOf({file,key}){return file===key||file.endsWith(`/${key}`)?file:`${file} ${key}`}
export{placeOf};
