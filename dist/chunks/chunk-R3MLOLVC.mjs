#!/usr/bin/env node


var Refusal=class extends Error{code;where;remedy;constructor(code,message,details={}){super(message,details.cause===void 0?void 0:{cause:details.cause}),this.name="Refusal",this.code=code,this.where=details.where,this.remedy=details.remedy}};function isRefusal(thrown){return thrown instanceof Refusal}function recode(to,from,body){try{return body()}catch(thrown){throw!isRefusal(thrown)||thrown.code.startsWith("CS")||from!=="any"&&!from.includes(thrown.code)?thrown:new Refusal(to,thrown.message,{...thrown.where===void 0?{}:{where:thrown.where},...thrown.remedy===void 0?{}:{remedy:thrown.remedy},cause:thrown})}}var HIDDEN=/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;function visible(text){return text.replace(HIDDEN,char=>`\\u{${(char.codePointAt(0)??0).toString(16)}}`)}function visibleLines(text){return text.split(`
`).map(visible).join(`
`)}function bounded(text,limit){if(text.length<=limit)return text;let end=limit-1,halves=/[\ud800-\udbff]/.test(text.charAt(end-1))?end-1:end;return`${text.slice(0,halves)}\u2026`}function line(text,limit){return bounded(visible(bounded(text,limit+1)),limit)}export{Refusal,isRefusal,recode,visible,visibleLines,bounded,line};
//# sourceMappingURL=chunk-R3MLOLVC.mjs.map
