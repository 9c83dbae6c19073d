function groupBy(values,keyOf){let groups=new Map;for(let value of values){let key=keyOf(value),group=groups.get(key);if(group===void 0)groups.set(key,[value]);else group.push(value)}return groups}
export{groupBy};
