function formatPlace({file,key}){return file===key||file.endsWith(`/${key}`)?file:`${file} ${key}`}function skipNote({origin,command},why){return{about:formatPlace(origin),text:`\`${command}\` skipped: ${why}`}}
export{formatPlace,skipNote};
