#!/usr/bin/env node


import{askIgnored}from"./chunk-LBJ3CP7P.mjs";import"./chunk-W7ATHPOC.mjs";import{line}from"./chunk-HYSFBA6Y.mjs";import{isRefusal}from"./chunk-BHUJNGFQ.mjs";import"./chunk-66VJJU42.mjs";var SHOWN=200;async function ignoredArtifactsWarning(root,record){try{let ignored=[...await askIgnored(root,record.artifacts.map(({path:path2})=>path2))].find(([,verdict])=>verdict.isIgnored);if(ignored===void 0)return;let[path,{rule}]=ignored,by=rule===void 0?"":` (${line(`${rule.path}:${rule.line}: ${rule.pattern}`,SHOWN)})`;return`Warning: git ignores ${line(path,SHOWN)}${by}. Without it the record fails where the branch is judged: commit it with git add --force, or exempt evidence with a line !/.rapid-os/evidence/** in .gitignore.
`}catch(thrown){if(isRefusal(thrown))return;throw thrown}}export{ignoredArtifactsWarning};
//# sourceMappingURL=ignored-artifacts-CYENUEXG.mjs.map
