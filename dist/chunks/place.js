function formatPlace({file,key}){return file===key||file.endsWith(`/${key}`)?file:`${file} ${key}`}
export{formatPlace};
