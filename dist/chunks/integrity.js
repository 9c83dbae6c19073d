import{keptAttempt}from"./record.js";function recordedFindings(attempts){let{findings=[],approval}=keptAttempt(attempts)?.verification??{};return{integrity:findings.filter(({level})=>level!=="note"),integrityNotes:findings.filter(({level})=>level==="note"),...approval&&{approval}}}
export{recordedFindings};
