import{canonicalJson,digestOf}from"./statement.js";function policyDigest(config,plan){let{file,notify,onFailure,publish,pullRequest,sessions,budget,judge,maxFixAttempts,...rules}=config,stages=plan.stages.map(({origin,tools,services,...stage})=>stage),setup=plan.setup.map(({origin,tools,...step})=>step);return digestOf(canonicalJson({rules,stages,setup}))}
export{policyDigest};
