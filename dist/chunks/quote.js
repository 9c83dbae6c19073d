var PLAIN_WORD=/^[\w@%+=:,./^-]+$/,quoteWords=(word)=>PLAIN_WORD.test(word)?word:`'${word.replaceAll("'","'\\''")}'`;function assignments(env){return Object.entries(env).map(([name,value])=>`${name}=${quoteWords(value)}`)}
export{quoteWords,assignments};
